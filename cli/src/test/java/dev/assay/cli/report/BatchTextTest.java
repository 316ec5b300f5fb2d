package dev.assay.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTextTest {

    private static final JsonNode BATCH = Json.tree("""
        {"id": "b1", "campaign": "c-1", "provider": "openai", "model": "gpt-6.1", "kind": "branch", "state": "SUBMITTED",
         "providerId": "batch_7", "lines": 300, "out": 176, "answered": 120, "failed": 1, "expired": 2, "canceled": 0, "missing": 1,
         "duplicates": 3, "reservedUsd": 1.5, "costUsd": 0.125, "createdAt": "2026-11-26T09:00:00Z",
         "submittedAt": "2026-11-26T09:00:05Z", "expiresAt": null, "nextPollAt": null,
         "error": {"code": "BATCH_POLL_FAILED", "message": "It does not answer."}}
        """);

    @Test
    void shouldSayEachFactOfABatch() {
        assertThat(BatchText.of(BATCH)).isEqualTo("""
            Batch b1: SUBMITTED
            Campaign: c-1, cells of kind branch
            Asks: openai gpt-6.1, which calls it batch_7
            Lines: 300, 176 out, 120 answered, 1 failed, 2 expired, 0 cancelled, 1 missing; 3 came twice
            Cost: $0.13 of at most $1.50
            Made: 2026-11-26T09:00:00Z, submitted: 2026-11-26T09:00:05Z, expires: –, looked at next: –
            Trouble: It does not answer. (BATCH_POLL_FAILED)
            """);
    }

    @Test
    void shouldListBatchesOrSayThatThereIsNone() {
        assertThat(BatchText.table(List.of(BATCH)))
                .contains("b1", "c-1", "openai gpt-6.1", "SUBMITTED", "300", "176", "120", "$0.13");
        assertThat(BatchText.table(List.of())).isEqualTo("There is no batch.\n");
    }
}
