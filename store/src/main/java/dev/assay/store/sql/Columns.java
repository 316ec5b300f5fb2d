package dev.assay.store.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.Served;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageTotal;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Columns that the driver does not read as the type that Java code wants, and those that many tables have. */
public final class Columns {

    private static final Map<String, ErrorCode> ERROR_CODES =
            Arrays.stream(ErrorCode.values()).collect(Collectors.toMap(ErrorCode::name, Function.identity()));

    // To find the reader of a type takes a fifth of the time in which the results of one check are read.
    private static final Map<Type, ObjectReader> READERS = new ConcurrentHashMap<>();

    private Columns() {}

    /** A {@code timestamptz}; null where the column is null. */
    public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** A {@code timestamptz NOT NULL}. */
    public static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** A {@code boolean}; null where the column is null. */
    public static @Nullable Boolean booleanOrNull(ResultSet row, String column) throws SQLException {
        boolean value = row.getBoolean(column);
        return row.wasNull() ? null : value;
    }

    /** An {@code integer}; null where the column is null. */
    public static @Nullable Integer integerOrNull(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }

    /** A {@code double precision}; null where the column is null. */
    public static @Nullable Double doubleOrNull(ResultSet row, String column) throws SQLException {
        double value = row.getDouble(column);
        return row.wasNull() ? null : (Double) value;
    }

    /** A {@code text[] NOT NULL}. */
    public static List<String> strings(ResultSet row, String column) throws SQLException {
        Array array = row.getArray(column);
        return List.of((String[]) array.getArray());
    }

    /** An {@code integer[] NOT NULL}. */
    public static List<Integer> integers(ResultSet row, String column) throws SQLException {
        Array array = row.getArray(column);
        return Arrays.asList((Integer[]) array.getArray());
    }

    /** Integers that {@code string_agg(int4send(…), '')} put together: a quarter of the bytes of an array, and no objects. */
    public static List<Integer> packedIntegers(ResultSet row, String column) throws SQLException {
        IntBuffer values = ByteBuffer.wrap(row.getBytes(column)).asIntBuffer();
        return view(values.limit(), values::get);
    }

    /** The same of {@code int8send}. */
    public static List<Long> packedLongs(ResultSet row, String column) throws SQLException {
        LongBuffer values = ByteBuffer.wrap(row.getBytes(column)).asLongBuffer();
        return view(values.limit(), values::get);
    }

    private static <T> List<T> view(int size, IntFunction<T> values) {
        return new AbstractList<>() {
            @Override
            public T get(int index) {
                return values.apply(index);
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    /** A {@code double precision[]}; empty where the column is null. */
    public static List<Double> doubles(ResultSet row, String column) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? List.of() : Arrays.asList((Double[]) array.getArray());
    }

    /** A {@code jsonb NOT NULL} that Assay wrote. */
    public static <T> T json(ResultSet row, String column, TypeReference<T> type) throws SQLException {
        try {
            return READERS.computeIfAbsent(type.getType(), _ -> Json.mapper().readerFor(type))
                    .readValue(row.getString(column));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Column " + column + " does not hold a " + type.getType(), e);
        }
    }

    /** A {@code bigint}; null where the column is null. */
    public static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    /** The six token columns, which have the same names in every table. */
    public static Usage usage(ResultSet row) throws SQLException {
        return new Usage(
                longOrNull(row, "input_tokens"),
                longOrNull(row, "output_tokens"),
                longOrNull(row, "reasoning_tokens"),
                longOrNull(row, "cache_read_tokens"),
                longOrNull(row, "cache_write_tokens"),
                longOrNull(row, "total_tokens"));
    }

    /** The same of a row with a {@code status}: where it says that there was an answer, zeros are not known. */
    public static Usage usageOfAnswer(ResultSet row) throws SQLException {
        Usage usage = usage(row);
        return OutcomeStatus.valueOf(row.getString("status")).isAnswer() ? usage.ofAnswer() : usage;
    }

    /** The sums of {@link TokenColumns#SUMS}, with the column {@code unknown_usage}. */
    public static UsageTotal usageTotal(ResultSet row) throws SQLException {
        return UsageTotal.summed(usage(row), row.getLong("unknown_usage"));
    }

    /** The columns {@code error_code} and {@code error_message}; null when nothing failed. */
    public static @Nullable Failure failure(ResultSet row) throws SQLException {
        String code = row.getString("error_code");
        if (code == null) {
            return null;
        }
        String message = row.getString("error_message");
        ErrorCode known = errorCode(row);
        return known == null
                ? new Failure(ErrorCode.INTERNAL, code + ": " + message)
                : new Failure(known, message == null ? code : message);
    }

    /** The column {@code error_code}; null: nothing failed, or a later build wrote a code that this one does not know. */
    public static @Nullable ErrorCode errorCode(ResultSet row) throws SQLException {
        return ERROR_CODES.get(row.getString("error_code"));
    }

    /** The parameters of {@code error_code} and {@code error_message}, in this order. */
    public static @Nullable Object[] failure(@Nullable Failure failure) {
        return failure == null ? Sql.row(null, null) : Sql.row(failure.code().name(), failure.message());
    }

    /** The origin of the answer: the columns {@code requested}, {@code effective} and {@code served}. */
    public static Provenance provenance(ResultSet row) throws SQLException {
        String served = row.getString("served");
        return new Provenance(
                treeOrNull(row.getString("requested")),
                treeOrNull(row.getString("effective")),
                served == null ? null : Json.read(served, Served.class));
    }

    private static @Nullable JsonNode treeOrNull(@Nullable String json) {
        return json == null ? null : Json.tree(json);
    }
}
