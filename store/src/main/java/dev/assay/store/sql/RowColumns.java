package dev.assay.store.sql;

import static java.util.stream.Collectors.joining;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.error.Failure;
import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a statement writes, each named once and beside its value. The names, their places, the parameters and what a
 * conflict replaces come from it. None of them can be out of step.
 *
 * @param <T> what a row is written from
 */
public final class RowColumns<T> {

    private static final String PARAMETER = "?";

    private final List<Column<T>> columns = new ArrayList<>();

    /**
     * @param place SQL that stands for the value
     * @param replaced whether a conflict replaces it
     * @param value the parameter in {@code place}; null: it has none
     */
    private record Column<T>(
            String name,
            String place,
            boolean replaced,
            @Nullable Function<? super T, ? extends @Nullable Object> value) {}

    private RowColumns() {}

    /** None yet. */
    public static <T> RowColumns<T> of() {
        return new RowColumns<>();
    }

    /** Adds a column that a conflict leaves as it is. */
    public RowColumns<T> key(String name, Function<? super T, ? extends @Nullable Object> value) {
        return add(new Column<>(name, PARAMETER, false, value));
    }

    /** Adds a column. */
    public RowColumns<T> column(String name, Function<? super T, ? extends @Nullable Object> value) {
        return add(new Column<>(name, PARAMETER, true, value));
    }

    /** Adds a column whose parameter PostgreSQL takes as {@code type}. */
    public RowColumns<T> column(String name, String type, Function<? super T, ? extends @Nullable Object> value) {
        return add(new Column<>(name, PARAMETER + "::" + type, true, value));
    }

    /** Adds a column whose parameter PostgreSQL takes as {@code type}, and {@code fallback} in place of null. */
    public RowColumns<T> columnOr(
            String name, String type, String fallback, Function<? super T, ? extends @Nullable Object> value) {
        return add(new Column<>(name, "coalesce(" + PARAMETER + "::" + type + ", " + fallback + ")", true, value));
    }

    /** Adds a column that holds {@code value} as JSON, or null. */
    public RowColumns<T> json(String name, Function<? super T, ? extends @Nullable Object> value) {
        return column(name, "jsonb", row -> {
            Object written = value.apply(row);
            return written == null ? null : Json.write(written);
        });
    }

    /** Adds a column that is the same in every row, and that a conflict leaves as it is. */
    public RowColumns<T> constant(String name, String sql) {
        return add(new Column<>(name, sql, false, null));
    }

    /** Adds the six token columns. */
    public RowColumns<T> usage(Function<? super T, Usage> usage) {
        return column("input_tokens", row -> usage.apply(row).input())
                .column("output_tokens", row -> usage.apply(row).output())
                .column("reasoning_tokens", row -> usage.apply(row).reasoning())
                .column("cache_read_tokens", row -> usage.apply(row).cacheRead())
                .column("cache_write_tokens", row -> usage.apply(row).cacheWrite())
                .column("total_tokens", row -> usage.apply(row).total());
    }

    /** Adds {@code error_code} and {@code error_message}; the failure is null when nothing failed. */
    public RowColumns<T> failure(Function<? super T, @Nullable Failure> failure) {
        return column("error_code", row -> {
                    Failure failed = failure.apply(row);
                    return failed == null ? null : failed.code().name();
                })
                .column("error_message", row -> {
                    Failure failed = failure.apply(row);
                    return failed == null ? null : failed.message();
                });
    }

    /** Adds {@code requested}, {@code effective} and {@code served}. */
    public RowColumns<T> provenance(Function<? super T, Provenance> provenance) {
        return json("requested", row -> provenance.apply(row).requested())
                .json("effective", row -> provenance.apply(row).effective())
                .json("served", row -> provenance.apply(row).served());
    }

    private RowColumns<T> add(Column<T> column) {
        columns.add(column);
        return this;
    }

    /**
     * A statement that inserts a row for each set of parameters.
     *
     * @param table its name, and the alias that the rest of the statement uses
     */
    public String insert(String table) {
        return "INSERT INTO " + table + " (" + names() + ") VALUES (" + places() + ")";
    }

    /** The names, in the order of the parameters. */
    public String names() {
        return columns.stream().map(Column::name).collect(joining(", "));
    }

    /** What stands for the values, in the same order. */
    public String places() {
        return columns.stream().map(Column::place).collect(joining(", "));
    }

    /** What a conflict sets: the new values. */
    public String replaced() {
        return replaced("%1$s = excluded.%1$s");
    }

    /**
     * What a conflict sets.
     *
     * @param form of one column, with {@code %1$s} for its name
     */
    public String replaced(String form) {
        return columns.stream()
                .filter(Column::replaced)
                .map(column -> form.formatted(column.name()))
                .collect(joining(", "));
    }

    /** The parameters of a row. */
    public @Nullable Object[] parameters(T row) {
        return columns.stream()
                .map(Column::value)
                .filter(Objects::nonNull)
                .map(value -> value.apply(row))
                .toArray();
    }
}
