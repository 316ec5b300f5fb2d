package dev.assay.store.sql;

import io.micronaut.data.jdbc.runtime.JdbcOperations;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements on the connection of the current transaction: its callers are {@code @Transactional}.
 *
 * <p>Parameters are what the PostgreSQL driver binds, {@link Instant}, and collections of strings or integers, which become
 * arrays.
 */
@Singleton
public final class Sql {

    private static final int BATCH = 1_000;
    private static final int FETCH = 1_000;

    private final JdbcOperations jdbc;

    Sql(JdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /** All rows of a query, in its order. */
    public <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... parameters) {
        List<T> result = new ArrayList<>();
        forEach(sql, reader, result::add, parameters);
        return result;
    }

    /** The first row of a query; empty when it has none. */
    public <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... parameters) {
        return list(sql, reader, parameters).stream().findFirst();
    }

    /** Hands over the rows of a query one by one, while they arrive; never holds more than a thousand. */
    public <T> void forEach(
            String sql, RowReader<T> reader, Consumer<? super T> consumer, @Nullable Object... parameters) {
        jdbc.prepareStatement(sql, statement -> {
            statement.setFetchSize(FETCH);
            bind(statement, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    consumer.accept(reader.read(rows));
                }
            }
            return true;
        });
    }

    /** Runs a statement that changes rows; says how many. */
    public int update(String sql, @Nullable Object... parameters) {
        return jdbc.prepareStatement(sql, statement -> {
            bind(statement, parameters);
            return statement.executeUpdate();
        });
    }

    /**
     * Runs a statement once for each item, a thousand in each round trip.
     *
     * @param parameters the parameters of an item
     */
    public <T> void batch(String sql, Iterable<T> items, Function<? super T, @Nullable Object[]> parameters) {
        jdbc.prepareStatement(sql, statement -> {
            int waiting = 0;
            for (T item : items) {
                bind(statement, parameters.apply(item));
                statement.addBatch();
                if (++waiting == BATCH) {
                    statement.executeBatch();
                    waiting = 0;
                }
            }
            if (waiting > 0) {
                statement.executeBatch();
            }
            return true;
        });
    }

    private static void bind(PreparedStatement statement, @Nullable Object[] parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            switch (parameters[i]) {
                case Instant instant -> statement.setObject(i + 1, instant.atOffset(ZoneOffset.UTC));
                case Collection<?> values -> statement.setArray(i + 1, array(statement, values));
                case null -> statement.setObject(i + 1, null);
                case Object value -> statement.setObject(i + 1, value);
            }
        }
    }

    private static java.sql.Array array(PreparedStatement statement, Collection<?> values) throws SQLException {
        boolean integers = !values.isEmpty() && values.iterator().next() instanceof Integer;
        return statement.getConnection().createArrayOf(integers ? "integer" : "text", values.toArray());
    }
}
