package dev.assay.domain.report.fact;

import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.outcome.OutcomeStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of one branch, with the same number of the trial, that ended alike.
 *
 * @param branchIndex 0-based
 * @param trial from 1
 * @param status how they ended
 * @param passed whether the trial passes on the branch; null: no evidence
 * @param hasText whether there is a text to choose
 * @param caseIndexes the cases, 0-based, in any order
 */
public record CellGroup(
        int branchIndex,
        int trial,
        OutcomeStatus status,
        @Nullable Boolean passed,
        boolean hasText,
        List<Integer> caseIndexes) {

    public CellGroup {
        caseIndexes = List.copyOf(caseIndexes);
    }

    /** Whether they could be chosen: as {@link dev.assay.domain.outcome.Outcomes#isSelectable} says. */
    public boolean selectable() {
        return status == OutcomeStatus.COMPLETED || (status == OutcomeStatus.LIMIT && hasText);
    }

    /** The verdict of the trial on the branch. */
    public TrialVerdict verdict() {
        return TrialVerdict.ofStored(status, passed);
    }
}
