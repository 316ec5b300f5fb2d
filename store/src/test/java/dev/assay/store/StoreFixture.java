package dev.assay.store;

import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A migrated database of its own and the store's beans on it. Close it to drop the database. */
public final class StoreFixture implements AutoCloseable {

    private final PostgresServer server;
    private final String database;
    private final ApplicationContext context;

    private StoreFixture(PostgresServer server, String database, Map<String, Object> properties) {
        this.server = server;
        this.database = database;
        Map<String, Object> all = new HashMap<>(dataSourceProperties());
        all.putAll(properties);
        this.context = ApplicationContext.builder("test")
                .deduceEnvironment(false)
                .banner(false)
                .properties(all)
                .start();
    }

    /** Opens a fixture on a fresh, migrated database. */
    public static StoreFixture open() {
        return open(Map.of());
    }

    /** Opens a fixture on a fresh, migrated database, with further settings of the application context. */
    public static StoreFixture open(Map<String, Object> properties) {
        PostgresServer server = PostgresServer.shared();
        return new StoreFixture(server, server.createMigratedDatabase(), properties);
    }

    /** The application context with the store's beans. */
    public ApplicationContext context() {
        return context;
    }

    /** The bean of {@code type}. */
    public <T> T get(Class<T> type) {
        return context.getBean(type);
    }

    /** Settings with which another application context uses the same database. */
    public Map<String, Object> dataSourceProperties() {
        return Map.of(
                "datasources.default.url",
                jdbcUrl(),
                "datasources.default.username",
                server.user(),
                "datasources.default.password",
                server.password(),
                "datasources.default.driver-class-name",
                "org.postgresql.Driver",
                "datasources.default.dialect",
                "POSTGRES",
                "datasources.default.maximum-pool-size",
                20,
                "datasources.default.minimum-idle",
                0,
                // The database is a copy of a migrated template.
                "flyway.datasources.default.enabled",
                false);
    }

    /** Where the database is. */
    public String jdbcUrl() {
        return server.url(database);
    }

    /** A connection that is not the pool's, in auto-commit mode; the caller closes it. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), server.user(), server.password());
    }

    /** Runs {@code sql} and commits it; returns the number of rows that it changed. */
    public int execute(String sql, @Nullable Object... parameters) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.execute() ? 0 : statement.getUpdateCount();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The rows of {@code sql}, each by column name. */
    public List<Map<String, @Nullable Object>> query(String sql, @Nullable Object... parameters) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<Map<String, @Nullable Object>> result = new ArrayList<>();
            while (rows.next()) {
                result.add(row(rows));
            }
            return result;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The first column of the only row of {@code sql}. */
    public @Nullable Object value(String sql, @Nullable Object... parameters) {
        List<Map<String, @Nullable Object>> rows = query(sql, parameters);
        if (rows.size() != 1) {
            throw new IllegalStateException("One row expected, not " + rows.size() + ": " + sql);
        }
        return rows.getFirst().values().iterator().next();
    }

    /** The first column of the only row of {@code sql}, a number. */
    public long count(String sql, @Nullable Object... parameters) {
        if (value(sql, parameters) instanceof Number number) {
            return number.longValue();
        }
        throw new IllegalStateException("A number expected: " + sql);
    }

    @Override
    public void close() {
        context.close();
        server.dropDatabase(database);
    }

    private static PreparedStatement prepare(Connection connection, String sql, @Nullable Object[] parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    private static Map<String, @Nullable Object> row(ResultSet rows) throws SQLException {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
            row.put(rows.getMetaData().getColumnLabel(column), rows.getObject(column));
        }
        return row;
    }
}
