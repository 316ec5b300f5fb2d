package dev.assay.domain.report.fact;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selections, with the same number of the trial, that came out alike.
 *
 * @param trial from 1
 * @param selectedIndex the branch that won; null when none completed
 * @param fallback whether the strategy could not decide
 * @param decided whether the strategy chose among several
 * @param tied whether a rule for ties chose: it is no win
 * @param caseIndexes the cases, 0-based, in any order; not copied, as there may be millions
 */
public record SelectionGroup(
        int trial,
        @Nullable Integer selectedIndex,
        boolean fallback,
        boolean decided,
        boolean tied,
        List<Integer> caseIndexes) {

    public SelectionGroup {
        caseIndexes = Collections.unmodifiableList(caseIndexes);
        if (decided && (selectedIndex == null || fallback)) {
            throw new IllegalArgumentException("A decided selection has a winner and is no fallback");
        }
    }
}
