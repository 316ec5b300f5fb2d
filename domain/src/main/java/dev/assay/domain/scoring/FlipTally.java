package dev.assay.domain.scoring;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.comparison.SignFlipTest;
import dev.assay.domain.statistics.judging.Confusion;
import dev.assay.domain.statistics.judging.PairedVerdicts;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what two evaluators say of the answers of one branch. Trials of one case are no independent ones: each statistic takes a case
 * as a whole. Memory holds a few dozen bytes for each case. Not safe for use by several threads.
 */
public final class FlipTally {

    private final PairedVerdicts verdicts = new PairedVerdicts();
    private final SortedMap<Integer, Passed> byCase = new TreeMap<>();
    private int cells;
    private int unknownBefore;
    private int unknownAfter;

    /** Passed cells of one case, of those that are compared. */
    private record Passed(int before, int after, int of) {

        Passed plus(Passed other) {
            return new Passed(before + other.before, after + other.after, of + other.of);
        }

        CaseCounts counts(int passed) {
            return new CaseCounts(passed, 0, of);
        }
    }

    /**
     * Adds a cell.
     *
     * @param before whether it passed before; null: unknown
     * @param after whether it passes after; null: unknown
     */
    public void add(int caseIndex, @Nullable Boolean before, @Nullable Boolean after) {
        cells++;
        unknownBefore += before == null ? 1 : 0;
        unknownAfter += after == null ? 1 : 0;
        if (before != null && after != null) {
            verdicts.add(caseIndex, before, after);
            byCase.merge(caseIndex, new Passed(before ? 1 : 0, after ? 1 : 0, 1), Passed::plus);
        }
    }

    /** What they come to, at 95 %. */
    public FlipStatistics statistics() {
        Collection<Passed> cases = byCase.values();
        Confusion counts = verdicts.counts();
        List<CaseCounts> first =
                cases.stream().map(one -> one.counts(one.before())).toList();
        List<CaseCounts> second =
                cases.stream().map(one -> one.counts(one.after())).toList();
        return new FlipStatistics(
                cells,
                counts.trials(),
                new FlipStatistics.Counts(
                        counts.bothPass(), counts.onlyFirst(), counts.onlySecond(), counts.bothFail()),
                new FlipStatistics.Unknown(unknownBefore, unknownAfter),
                verdicts.agreement(Quantiles.LEVEL),
                verdicts.kappa(Quantiles.LEVEL),
                ScoredDifference.of(PairedDifference.of(
                        rates(first, CaseCounts::lowest), rates(second, CaseCounts::lowest), Quantiles.LEVEL)),
                cases.isEmpty() ? null : (Double) SignFlipTest.of(first, second).p());
    }

    private static double[] rates(List<CaseCounts> cases, ToDoubleFunction<CaseCounts> rate) {
        return cases.stream().mapToDouble(rate).toArray();
    }
}
