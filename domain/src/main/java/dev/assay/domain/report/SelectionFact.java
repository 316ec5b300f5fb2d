package dev.assay.domain.report;

import dev.assay.domain.judge.JudgeVote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the summary needs of one selection.
 *
 * @param caseIndex 0-based
 * @param trial from 1
 * @param selectedIndex the branch that won; null when none completed
 * @param fallback whether the strategy could not decide
 * @param decided whether it counts as a win
 * @param votes what judges said, where there is something to compare: several judges, or pairs
 */
public record SelectionFact(
        int caseIndex,
        int trial,
        @Nullable Integer selectedIndex,
        boolean fallback,
        boolean decided,
        List<JudgeVote> votes) {

    public SelectionFact {
        votes = List.copyOf(votes);
        if (decided && (selectedIndex == null || fallback)) {
            throw new IllegalArgumentException("A decided selection has a winner and is no fallback");
        }
    }

    /** A selection without votes that could be compared. */
    public SelectionFact(int caseIndex, int trial, @Nullable Integer selectedIndex, boolean fallback, boolean decided) {
        this(caseIndex, trial, selectedIndex, fallback, decided, List.of());
    }
}
