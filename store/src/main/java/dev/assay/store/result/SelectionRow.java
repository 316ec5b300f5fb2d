package dev.assay.store.result;

import dev.assay.store.journal.FinishedJudgeCall;
import java.util.List;

/**
 * A decision as lists show it.
 *
 * @param judgeCalls what judges read and said in the trial, in order
 */
public record SelectionRow(String caseId, TrialSelection trial, List<FinishedJudgeCall> judgeCalls) {

    public SelectionRow {
        judgeCalls = List.copyOf(judgeCalls);
    }
}
