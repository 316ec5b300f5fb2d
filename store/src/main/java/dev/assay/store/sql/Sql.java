package dev.assay.store.sql;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.SqlState;
import dev.assay.store.StoreException;
import io.micronaut.data.exceptions.DataAccessException;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import io.micronaut.data.jdbc.runtime.PreparedStatementCallback;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL by JDBC, for statements that are in no {@link QueryRepository}. Statements run on the connection of the current
 * transaction: callers are {@code @Transactional}, or in {@link #write}.
 *
 * <p>Parameters are what the driver binds, {@link Instant}, and collections of strings or whole numbers, which become arrays.
 * {@link #row Rows} of parameters are bound value by value.
 *
 * <p>A statement throws STORE_UNAVAILABLE when the same transaction may succeed later (see {@link SqlState}), and
 * {@link StoreException} when PostgreSQL refuses it for good. SqlState classifies exceptions from the begin and end of a
 * transaction.
 */
@Singleton
public final class Sql {

    private static final int BATCH = 1_000;
    private static final int FETCH = 1_000;
    private static final int ALL = 0;

    private final JdbcOperations jdbc;
    private final TransactionOperations<Connection> transactions;

    Sql(JdbcOperations jdbc, TransactionOperations<Connection> transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** Commits the writes of {@code work}, or none of them. Joins a transaction of the calling thread. */
    public <T> T write(Supplier<T> work) {
        return transactions.executeWrite(status -> work.get());
    }

    /** What {@code work} reads in one transaction. Joins a transaction of the calling thread. */
    public <T> T read(Supplier<T> work) {
        return transactions.executeRead(status -> work.get());
    }

    /** All rows of a query, in its order. */
    public <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... parameters) {
        List<T> result = new ArrayList<>();
        query(sql, ALL, reader, result::add, parameters);
        return result;
    }

    /** The first row of a query; empty when it has none. */
    public <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... parameters) {
        return list(sql, reader, parameters).stream().findFirst();
    }

    /** Whether a query has a row. Takes the locks that it names. */
    public boolean exists(String sql, @Nullable Object... parameters) {
        return first(sql, row -> true, parameters).isPresent();
    }

    /** Hands over the rows of a query one by one, while they arrive; never holds more than a thousand. */
    public <T> void forEach(
            String sql, RowReader<T> reader, Consumer<? super T> consumer, @Nullable Object... parameters) {
        query(sql, FETCH, reader, consumer, parameters);
    }

    /** The rows of a query by a key, those of one key in its order. */
    public <K extends Comparable<K>, T> Map<K, List<T>> grouped(
            String sql, RowReader<K> key, RowReader<T> reader, @Nullable Object... parameters) {
        Map<K, List<T>> result = new TreeMap<>();
        forEach(
                sql,
                row -> Map.entry(key.read(row), reader.read(row)),
                row -> result.computeIfAbsent(row.getKey(), _ -> new ArrayList<>())
                        .add(row.getValue()),
                parameters);
        return result;
    }

    /** The rows of a query by a key that each has for itself. */
    public <K extends Comparable<K>, T> Map<K, T> byKey(
            String sql, RowReader<K> key, RowReader<T> reader, @Nullable Object... parameters) {
        Map<K, T> result = new TreeMap<>();
        grouped(sql, key, reader, parameters).forEach((k, rows) -> result.put(k, rows.getFirst()));
        return result;
    }

    private <T> void query(
            String sql, int fetch, RowReader<T> reader, Consumer<? super T> consumer, @Nullable Object[] parameters) {
        prepared(sql, statement -> {
            statement.setFetchSize(fetch);
            bind(statement, 0, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    consumer.accept(reader.read(rows));
                }
            }
            return true;
        });
    }

    /** Runs a statement that changes rows; returns their number. */
    public int update(String sql, @Nullable Object... parameters) {
        return prepared(sql, statement -> {
            bind(statement, 0, parameters);
            return statement.executeUpdate();
        });
    }

    /**
     * Runs a statement once for each item, a thousand in each round trip; nothing when there are no items.
     *
     * @return how many rows each changed, in the order of the items
     */
    public <T> int[] batch(String sql, List<T> items, Function<? super T, @Nullable Object[]> parameters) {
        if (items.isEmpty()) {
            return new int[0];
        }
        return prepared(sql, statement -> {
            IntStream.Builder counts = IntStream.builder();
            int waiting = 0;
            for (T item : items) {
                bind(statement, 0, parameters.apply(item));
                statement.addBatch();
                if (++waiting == BATCH) {
                    IntStream.of(statement.executeBatch()).forEach(counts);
                    waiting = 0;
                }
            }
            if (waiting > 0) {
                IntStream.of(statement.executeBatch()).forEach(counts);
            }
            return counts.build().toArray();
        });
    }

    /** As {@link #batch}; answers with the items whose statement changed a row. */
    public <T> List<T> changed(String sql, List<T> items, Function<? super T, @Nullable Object[]> parameters) {
        int[] counts = batch(sql, items, parameters);
        return IntStream.range(0, counts.length)
                .filter(i -> counts[i] > 0)
                .mapToObj(items::get)
                .toList();
    }

    /** Parameters, some of which may be rows themselves. */
    public static @Nullable Object[] row(@Nullable Object... parameters) {
        return parameters;
    }

    private <T> T prepared(String sql, PreparedStatementCallback<T> work) {
        try {
            return jdbc.prepareStatement(sql, work);
        } catch (DataAccessException e) {
            if (!(e.getCause() instanceof SQLException cause)) {
                throw e;
            }
            if (SqlState.isTransient(cause)) {
                String what = SqlState.isRefusalForNow(cause)
                        ? "PostgreSQL refuses to write: "
                        : "PostgreSQL does not answer: ";
                throw new AssayException(ErrorCode.STORE_UNAVAILABLE, what + cause.getMessage(), cause);
            }
            throw new StoreException(cause);
        }
    }

    /** Binds parameters after the one numbered {@code last}; answers with the number of the last. */
    private static int bind(PreparedStatement statement, int last, @Nullable Object[] parameters) throws SQLException {
        int index = last;
        for (Object parameter : parameters) {
            switch (parameter) {
                case Object[] row -> index = bind(statement, index, row);
                case Instant instant -> statement.setObject(++index, instant.atOffset(ZoneOffset.UTC));
                case Collection<?> values -> statement.setArray(++index, array(statement, values));
                case null -> statement.setObject(++index, null);
                case Object value -> statement.setObject(++index, value);
            }
        }
        return index;
    }

    private static java.sql.Array array(PreparedStatement statement, Collection<?> values) throws SQLException {
        Object first = values.isEmpty() ? "" : values.iterator().next();
        String type = first instanceof Integer ? "integer" : first instanceof Long ? "bigint" : "text";
        return statement.getConnection().createArrayOf(type, values.toArray());
    }
}
