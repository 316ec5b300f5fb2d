package dev.assay.domain.scoring;

import dev.assay.domain.check.rule.CheckResult;
import java.util.Comparator;
import java.util.List;
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

    /**
     * The flip of an answer.
     *
     * @param after whether it passes now
     * @param checks what they say now
     */
    public static ScoredFlip of(String caseId, String branchId, int trial, boolean after, List<CheckResult> checks) {
        CheckResult.Status decides = after ? CheckResult.Status.PASSED : CheckResult.Status.FAILED;
        String why = checks.stream()
                .filter(check -> check.status() == decides)
                .map(CheckResult::reason)
                .findFirst()
                .orElse(null);
        return new ScoredFlip(caseId, branchId, trial, !after, after, why);
    }

    /** Those that passed before come first, then by case, branch and trial. */
    public static final Comparator<ScoredFlip> ORDER = Comparator.comparing(ScoredFlip::before)
            .reversed()
            .thenComparing(ScoredFlip::caseId)
            .thenComparing(ScoredFlip::branchId)
            .thenComparingInt(ScoredFlip::trial);
}
