package dev.assay.store.result;

import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The progress of one branch.
 *
 * @param branchIndex 0-based
 * @param branchId for people
 * @param done cells with a final outcome
 * @param passed of these, the ones that passed
 * @param failed of these, the ones that ended in MODEL_ERROR or TIMED_OUT
 * @param notNeeded cells that are closed without an answer, since the campaign stopped early; not among {@code done}
 * @param wins trials that it won by a decided selection
 * @param usage tokens of its outcomes
 * @param costUsd sum of the known costs of its outcomes; null where none is known
 */
public record BranchCounters(
        int branchIndex,
        String branchId,
        long done,
        long passed,
        long failed,
        long notNeeded,
        long wins,
        Usage usage,
        @Nullable BigDecimal costUsd) {}
