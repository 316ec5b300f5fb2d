package dev.assay.web.trial;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.store.replaced.ReplacedRow;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A result that a re-run replaced.
 *
 * @param rerun which re-run of the campaign, from 1
 * @param kind outcome, judge_call or trial
 * @param trial which repetition, from 1
 * @param branchId the branch of an outcome; null: it is none
 * @param replacedAt when it gave way
 * @param result what it said
 */
@Schema(name = "ReplacedResult")
record ReplacedView(
        int rerun,
        String kind,
        String caseId,
        int trial,
        @Nullable String branchId,
        Instant replacedAt,
        @Schema(implementation = Object.class) JsonNode result) {

    static ReplacedView of(ReplacedRow row) {
        return new ReplacedView(
                row.rerun(), row.kind(), row.caseId(), row.trial(), row.branchId(), row.replacedAt(), row.result());
    }
}
