package dev.assay.store.replaced;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A result that a re-run replaced.
 *
 * @param rerun which re-run of the campaign, from 1
 * @param kind {@code outcome}, {@code judge_call} or {@code trial}
 * @param trial which repetition, from 1
 * @param member index of the branch, number of the judge call, or 0
 * @param branchId the branch of an outcome; null: it is none
 */
public record ReplacedRow(
        int rerun,
        String kind,
        String caseId,
        int trial,
        int member,
        @Nullable String branchId,
        Instant replacedAt,
        JsonNode result) {}
