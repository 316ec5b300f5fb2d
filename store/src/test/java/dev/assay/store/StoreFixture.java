package dev.assay.store;

import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** A migrated database of its own and the store's beans on it. Close it to drop the database. */
public final class StoreFixture implements AutoCloseable {

    private static final int VALID_SECONDS = 10;

    private final PostgresServer server;
    private final String database;
    private final ApplicationContext context;

    /** Connections of statements that ended: tests ask often, and for each connection PostgreSQL starts a process. */
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

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
        return ask(sql, parameters, statement -> statement.execute() ? 0 : statement.getUpdateCount());
    }

    /** The rows of {@code sql}, each by column name. */
    public List<Map<String, @Nullable Object>> query(String sql, @Nullable Object... parameters) {
        return ask(sql, parameters, statement -> {
            List<Map<String, @Nullable Object>> result = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    result.add(row(rows));
                }
            }
            return result;
        });
    }

    private <R> R ask(String sql, @Nullable Object[] parameters, Asking<R> asking) {
        try {
            Connection connection = idleOrNew();
            try (PreparedStatement statement = prepare(connection, sql, parameters)) {
                R answer = asking.of(statement);
                idle.push(connection);
                return answer;
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** A test may have ended the connection at the server. */
    private Connection idleOrNew() throws SQLException {
        Connection connection = idle.poll();
        while (connection != null && !connection.isValid(VALID_SECONDS)) {
            connection.close();
            connection = idle.poll();
        }
        return connection == null ? connect() : connection;
    }

    /** What is done with a statement. */
    @FunctionalInterface
    private interface Asking<R> {
        R of(PreparedStatement statement) throws SQLException;
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
        // It ends the connections that are idle, too.
        server.dropDatabase(database);
        idle.forEach(StoreFixture::close);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("A connection of the fixture", e);
        }
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
