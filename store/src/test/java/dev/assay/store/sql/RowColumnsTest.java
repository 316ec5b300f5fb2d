package dev.assay.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.usage.Usage;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RowColumnsTest {

    private record Row(
            String id,
            @Nullable Map<String, Integer> parts,
            @Nullable Failure failure) {}

    private static final RowColumns<Row> COLUMNS = RowColumns.<Row>of()
            .key("id", Row::id)
            .constant("state", "'NEW'")
            .json("parts", Row::parts)
            .column("size", "bigint", row -> 7)
            .failure(Row::failure);

    @Test
    void shouldNameEachColumnWithItsPlaceWhenARowIsInserted() {
        assertThat(COLUMNS.insert("thing AS t"))
                .isEqualTo("INSERT INTO thing AS t (id, state, parts, size, error_code, error_message)"
                        + " VALUES (?, 'NEW', ?::jsonb, ?::bigint, ?, ?)");
    }

    @Test
    void shouldReplaceAllButKeysAndConstantsWhenRowsMeet() {
        assertThat(COLUMNS.replaced())
                .isEqualTo("parts = excluded.parts, size = excluded.size, error_code = excluded.error_code,"
                        + " error_message = excluded.error_message");
        assertThat(COLUMNS.replaced("%1$s = t.%1$s + excluded.%1$s")).startsWith("parts = t.parts + excluded.parts, ");
    }

    @Test
    void shouldGiveAParameterForEachPlaceWhenARowIsWritten() {
        assertThat(COLUMNS.parameters(new Row("a", Map.of("b", 1), new Failure(ErrorCode.INTERNAL, "no"))))
                .containsExactly("a", "{\"b\":1}", 7, "INTERNAL", "no");
        assertThat(COLUMNS.parameters(new Row("a", null, null))).containsExactly("a", null, 7, null, null);
    }

    @Test
    void shouldGiveTokensAndOriginInTheOrderOfTheirNames() {
        RowColumns<Usage> columns = RowColumns.<Usage>of().usage(usage -> usage).provenance(usage -> Provenance.NONE);

        assertThat(columns.names())
                .isEqualTo("input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens,"
                        + " total_tokens, requested, effective, served");
        assertThat(columns.parameters(new Usage(1L, 2L, 3L, 4L, 5L, 6L)))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, null, null, null);
    }
}
