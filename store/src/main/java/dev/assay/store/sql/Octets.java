package dev.assay.store.sql;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/** SQL that says how many bytes columns have, together. Of a text PostgreSQL knows it without reading the text. */
public final class Octets {

    private Octets() {}

    /** Of columns of type {@code text}; a null has none. */
    public static String ofTexts(String... columns) {
        return sum(columns, column -> "coalesce(octet_length(" + column + "), 0)");
    }

    /** Of columns of type {@code jsonb}, or arrays. Only those that are compressed are read: their size says nothing else. */
    public static String ofValues(String... columns) {
        return sum(
                columns,
                column -> "coalesce(CASE WHEN pg_column_compression(" + column + ") IS NULL THEN pg_column_size("
                        + column + ") ELSE octet_length(" + column + "::text) END, 0)");
    }

    private static String sum(String[] columns, Function<String, String> octets) {
        // Not integers: together they may come to more.
        return Arrays.stream(columns).map(octets).collect(Collectors.joining(" + ", "(0::bigint + ", ")"));
    }
}
