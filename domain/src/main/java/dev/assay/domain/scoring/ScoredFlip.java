package dev.assay.domain.scoring;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * An answer of which the scoring says something else. The names are those of its JSON.
 *
 * @param trial which repetition, from 1
 * @param before whether it passed in the first campaign
 * @param after whether it passes in the scoring
 * @param why the reason of the first check that decided; null: none did
 */
public record ScoredFlip(
        String caseId,
        String branchId,
        int trial,
        boolean before,
        boolean after,
        @Nullable String why) {

    /** Those that passed before come first, then by case, branch and trial. */
    public static final Comparator<ScoredFlip> ORDER = Comparator.comparing(ScoredFlip::before)
            .reversed()
            .thenComparing(ScoredFlip::caseId)
            .thenComparing(ScoredFlip::branchId)
            .thenComparingInt(ScoredFlip::trial);
}
