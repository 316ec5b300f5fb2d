package dev.assay.domain.scoring;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.statistics.judging.Kappa;
import dev.assay.domain.statistics.judging.Share;
import org.jspecify.annotations.Nullable;

/**
 * How far two verdicts on the same answers of a branch agree. The names are those of its JSON.
 *
 * @param cells of the branch
 * @param compared cells of which both verdicts are known; all else speaks of these
 * @param agreement the share of which both say the same
 * @param kappa agreement beyond chance
 * @param p exact two-sided test by case that the pass rate did not change; null where nothing is compared
 */
public record FlipStatistics(
        int cells,
        int compared,
        Counts counts,
        @JsonUnwrapped Unknown unknown,
        Share agreement,
        Kappa kappa,
        ScoredDifference difference,
        @Nullable Double p) {

    /** How many cells passed before, after, both times, or never. */
    public record Counts(int bothPass, int onlyBefore, int onlyAfter, int bothFail) {}

    /** Cells of which a verdict is not known. */
    public record Unknown(int unknownBefore, int unknownAfter) {}
}
