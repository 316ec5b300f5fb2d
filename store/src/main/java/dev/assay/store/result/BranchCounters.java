package dev.assay.store.result;

import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.usage.UsageTotal;
import dev.assay.store.evidence.Correction;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The progress of one branch.
 *
 * @param branchIndex 0-based
 * @param passed of these, the ones that passed
 * @param failed of these, the ones that ended in MODEL_ERROR or TIMED_OUT
 * @param unscored of those that are done, the ones that were answered and have no result of a required check
 * @param unanswered of those that failed, the ones to which the provider gave no answer
 * @param notNeeded cells that are closed without an answer, since the campaign stopped early; not among {@code done}
 * @param wins trials that it won by a decided selection
 * @param tokens tokens of its outcomes
 * @param costUsd sum of the known costs of its outcomes; null where none is known
 * @param trialRate the pass rate of its trials as the report has it; null until the campaign has completed
 * @param correction the change where first draws count
 */
public record BranchCounters(
        int branchIndex,
        String branchId,
        long done,
        long passed,
        long failed,
        long unscored,
        long unanswered,
        long notNeeded,
        long wins,
        UsageTotal tokens,
        @Nullable BigDecimal costUsd,
        @Nullable Proportion trialRate,
        Correction correction) {

    /** Cells that say something of the model: those that are done, and open ones that were drawn before. */
    public long known(ErrorTreatment errors) {
        return done
                + correction.open()
                - unscored
                + correction.unscored()
                - switch (errors) {
                    case PROVIDER -> unanswered - correction.unanswered();
                    case FAIL -> 0;
                    case UNKNOWN -> failed - correction.failed();
                };
    }

    /** The share of these that passed, as the report has it once it is there; null when nothing is known. */
    public @Nullable Double passRate(ErrorTreatment errors) {
        long of = known(errors);
        return trialRate != null ? trialRate.known() : of == 0 ? null : (Double) ((double) passedFirst() / of);
    }

    /** Of these, the ones that passed: the first draws of cells that were asked again count. */
    public long passedFirst() {
        return passed + correction.passed();
    }
}
