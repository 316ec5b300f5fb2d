package dev.assay.domain.report;

import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.statistics.CaseScores;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.MeanScore;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.ReducedRate;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The mean over cases of a reducer. The names are those of the report's JSON.
 *
 * @param value the mean over cases that have a number, 0–1; null where none has
 * @param low lower end of its 95 % interval for cases like these, when what is unknown failed; null as {@code value}
 * @param high upper end, when what is unknown passed
 * @param undefined cases with too few trials of which something is known
 * @param why why there is no value; null: there is one
 */
public record ReducerRate(
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
        int cases,
        int undefined,
        @Nullable Why why) {

    /** The reason why a reducer has no value. */
    public enum Why {
        /** The campaign has fewer trials of each case than the reducer needs. */
        TOO_FEW_TRIALS,
        /** No case has trials enough of which something is known. */
        MISSING_EVIDENCE
    }

    /**
     * The rate.
     *
     * @param cases at least one, of which the point is made
     * @param bounds the same cases, of which the ends are made
     */
    static ReducerRate of(Reducer reducer, Collection<CaseScores> cases, Collection<CaseScores> bounds, int trials) {
        boolean graded = cases.stream().anyMatch(CaseScores::isGraded);
        ReducedRate rate = rate(reducer, cases, graded);
        if (rate.value() == null) {
            Why why = trials < reducer.leastTrials() ? Why.TOO_FEW_TRIALS : Why.MISSING_EVIDENCE;
            return new ReducerRate(null, null, null, rate.cases(), rate.undefined(), why);
        }
        Interval low = rate.population();
        Interval high = rate.population();
        if (!bounds.stream().allMatch(CaseScores::isWhole)) {
            low = rate(reducer, known(bounds, false), graded).population();
            high = rate(reducer, known(bounds, true), graded).population();
        }
        return new ReducerRate(
                rate.value(),
                low == null ? null : low.low(),
                high == null ? null : high.high(),
                rate.cases(),
                rate.undefined(),
                null);
    }

    /** The mean of scores has a t interval. Where all are 0 or 1 it is a rate, as other reducers are. */
    private static ReducedRate rate(Reducer reducer, Collection<CaseScores> cases, boolean graded) {
        return graded && reducer.isMean()
                ? MeanScore.of(cases.stream().<@Nullable Double>map(reducer::of).toList(), Quantiles.LEVEL)
                : reducer.rate(cases, Quantiles.LEVEL);
    }

    /** The same cases, as if what is unknown of them had passed, or failed. */
    private static Collection<CaseScores> known(Collection<CaseScores> cases, boolean passed) {
        return cases.stream().map(one -> one.known(passed)).toList();
    }
}
