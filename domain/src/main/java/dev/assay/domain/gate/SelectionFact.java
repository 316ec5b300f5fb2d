package dev.assay.domain.gate;

import org.jspecify.annotations.Nullable;

/**
 * What the summary needs of one selection.
 *
 * @param caseIndex 0-based
 * @param trial from 1
 * @param selectedIndex the branch that won; null when none completed
 * @param fallback whether the strategy could not decide
 * @param decided whether it counts as a win
 */
public record SelectionFact(
        int caseIndex, int trial, @Nullable Integer selectedIndex, boolean fallback, boolean decided) {

    public SelectionFact {
        if (decided && (selectedIndex == null || fallback)) {
            throw new IllegalArgumentException("A decided selection has a winner and is no fallback");
        }
    }
}
