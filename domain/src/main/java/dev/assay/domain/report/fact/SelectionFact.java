package dev.assay.domain.report.fact;

import dev.assay.domain.judge.JudgeVote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one selection that the summary needs.
 *
 * @param caseIndex 0-based
 * @param trial from 1
 * @param selectedIndex the branch that won; null when none completed
 * @param fallback whether the strategy could not decide
 * @param decided whether the strategy chose among several
 * @param tied whether a rule for ties chose: it is no win
 * @param votes what judges said; empty when none was asked
 */
public record SelectionFact(
        int caseIndex,
        int trial,
        @Nullable Integer selectedIndex,
        boolean fallback,
        boolean decided,
        boolean tied,
        List<JudgeVote> votes) {

    public SelectionFact {
        votes = List.copyOf(votes);
        if (decided && (selectedIndex == null || fallback)) {
            throw new IllegalArgumentException("A decided selection has a winner and is no fallback");
        }
    }

    /** A selection without votes that could be compared, and without a tie. */
    public SelectionFact(int caseIndex, int trial, @Nullable Integer selectedIndex, boolean fallback, boolean decided) {
        this(caseIndex, trial, selectedIndex, fallback, decided, false, List.of());
    }

    /** The same as one of a group. */
    public SelectionGroup group() {
        return new SelectionGroup(trial, selectedIndex, fallback, decided, tied, List.of(caseIndex));
    }
}
