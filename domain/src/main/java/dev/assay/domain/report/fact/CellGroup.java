package dev.assay.domain.report.fact;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Spend;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of one branch, with the same number of the trial, that ended alike.
 *
 * @param branchIndex 0-based
 * @param trial from 1
 * @param error the code of the error in which they ended; null: none, or one that this build does not know
 * @param passed whether the trial passes on the branch; null: no evidence
 * @param hasText whether there is a text to choose
 * @param caseIndexes the cases, 0-based, in any order; neither this list nor the next is copied, as there may be millions
 * @param latenciesMs milliseconds of the attempts that ended the cells, at least 0, or −1 where a batch of the provider
 *     answered, in the order of {@code caseIndexes}
 */
public record CellGroup(
        int branchIndex,
        int trial,
        OutcomeStatus status,
        @Nullable ErrorCode error,
        @Nullable Boolean passed,
        boolean hasText,
        List<Integer> caseIndexes,
        List<Long> latenciesMs,
        Spend spend) {

    public CellGroup {
        caseIndexes = Collections.unmodifiableList(caseIndexes);
        latenciesMs = Collections.unmodifiableList(latenciesMs);
    }

    /** Whether they could be chosen: as {@link dev.assay.domain.outcome.Outcomes#isSelectable} says. */
    public boolean selectable() {
        return status == OutcomeStatus.COMPLETED || (status == OutcomeStatus.LIMIT && hasText);
    }

    /** The verdict of the trial on the branch. */
    public TrialVerdict verdict() {
        return TrialVerdict.ofStored(status, passed, error);
    }
}
