package dev.assay.web.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hardwood.metadata.RowGroup;
import dev.hardwood.metadata.SchemaElement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ParquetWriterTest {

    private static final List<ParquetColumn<List<@Nullable Object>>> ALL = Arrays.stream(ParquetType.values())
            .map(type -> new ParquetColumn<List<@Nullable Object>>(type.name(), type, row -> row.get(type.ordinal())))
            .toList();

    private static <T> byte[] written(List<ParquetColumn<T>> columns, List<T> rows) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ParquetWriter<T> writer = new ParquetWriter<>(out, columns);
        for (T row : rows) {
            writer.add(row);
        }
        writer.finish();
        return out.toByteArray();
    }

    private static List<@Nullable Object> row(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    @Test
    void shouldBeReadAsItWasWrittenWhenAValueIsThereOrNull() throws IOException {
        Instant at = Instant.parse("1969-12-31T23:59:59.999999Z");
        List<List<@Nullable Object>> rows = List.of(
                row(
                        "é\u0000",
                        "{\"a\": 1}",
                        List.of("x", "", "y"),
                        true,
                        -7,
                        1L << 60,
                        0.1,
                        new BigDecimal("0.0000000015"),
                        at),
                row(null, null, List.of(), null, null, null, null, null, null),
                row("", "[]", List.of("z"), false, 0, 0L, -0.5, new BigDecimal("999999999.999999999"), Instant.EPOCH));

        ParquetRows read = ParquetRows.of(written(ALL, rows));

        assertThat(read.column("STRING")).containsExactly("é\u0000", null, "");
        assertThat(read.column("JSON")).containsExactly("{\"a\": 1}", null, "[]");
        assertThat(read.column("STRINGS")).containsExactly(List.of("x", "", "y"), List.of(), List.of("z"));
        assertThat(read.column("BOOLEAN")).containsExactly(true, null, false);
        assertThat(read.column("INT32")).containsExactly(-7, null, 0);
        assertThat(read.column("INT64")).containsExactly(1L << 60, null, 0L);
        assertThat(read.column("DOUBLE")).containsExactly(0.1, null, -0.5);
        assertThat(read.column("DECIMAL"))
                .as("rounded half up")
                .containsExactly(new BigDecimal("0.000000002"), null, new BigDecimal("999999999.999999999"));
        assertThat(read.column("TIMESTAMP")).containsExactly(at, null, Instant.EPOCH);
    }

    @Test
    void shouldHaveTheSameTypesWhenThereIsNoRow() throws IOException {
        ParquetRows none = ParquetRows.of(written(ALL, List.of()));

        assertThat(none.rows()).isEmpty();
        assertThat(none.end().schema().stream().map(SchemaElement::logicalType))
                .isEqualTo(ParquetRows.of(written(ALL, List.of(row(new @Nullable Object[9])))).end().schema().stream()
                        .map(SchemaElement::logicalType)
                        .toList());
    }

    @Test
    void shouldKeepTheLastGroupWhenThereAreMoreRowsThanOneTakes() throws IOException {
        List<ParquetColumn<Integer>> columns = List.of(
                new ParquetColumn<>("n", ParquetType.INT32, n -> n),
                new ParquetColumn<>("odd", ParquetType.BOOLEAN, n -> n % 3 == 0 ? null : (Boolean) (n % 2 == 1)));
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < 2 * ParquetWriter.MOST_ROWS + 1; i++) {
            rows.add(i);
        }

        ParquetRows read = ParquetRows.of(written(columns, rows));

        assertThat(read.column("n")).isEqualTo(rows);
        assertThat(read.column("odd").getLast()).isEqualTo(false);
        assertThat(read.end().rowGroups().stream().map(RowGroup::numRows)).containsExactly(100_000L, 100_000L, 1L);
    }

    @Test
    void shouldBoundAGroupInBytesWhenRowsAreLong() throws IOException {
        List<ParquetColumn<Integer>> columns =
                List.of(new ParquetColumn<>("text", ParquetType.STRING, length -> "x".repeat(length)));

        ParquetRows read =
                ParquetRows.of(written(columns, List.of(3 << 20, 3 << 20, 3 << 20, 1 << 20, 20 << 20, 0, 5)));

        assertThat(read.end().rowGroups().stream().map(RowGroup::numRows)).containsExactly(2L, 2L, 1L, 2L);
        assertThat(read.end().rowGroups().stream().map(RowGroup::totalByteSize).filter(bytes -> bytes > 8 << 20))
                .as("only the row that is longer")
                .hasSize(1);
        assertThat(read.column("text").stream().map(text -> String.valueOf(text).length()))
                .containsExactly(3 << 20, 3 << 20, 3 << 20, 1 << 20, 20 << 20, 0, 5);
    }

    @Test
    void shouldBeNoFileWhenItIsNotFinished() throws IOException {
        List<ParquetColumn<Integer>> columns = List.of(new ParquetColumn<>("n", ParquetType.INT32, n -> n));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ParquetWriter<Integer> writer = new ParquetWriter<>(out, columns);
        for (int i = 0; i <= ParquetWriter.MOST_ROWS; i++) {
            writer.add(i);
        }

        assertThat(out.size()).as("a group is written").isGreaterThan(100);
        assertThatThrownBy(() -> ParquetRows.of(out.toByteArray())).isInstanceOf(Exception.class);
    }
}
