package dev.assay.domain.estimate;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.statistics.comparison.FindableDifference;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The cost and precision of a campaign with a number of trials. The names are those of its JSON.
 *
 * @param cost what it takes, at most where it may stop early
 * @param expected what it takes on average where it may stop early; null: it asks everything, or is an older plan
 * @param passes how probable the gate passes at the rate that is assumed, 0–1
 * @param sameTwice how probable two runs get the same verdict, 0.5–1
 * @param duration the time that its live calls take at least; null: an older plan
 */
public record PlannedTrials(
        int trials,
        @JsonUnwrapped PlannedCost cost,
        @Nullable PlannedCost expected,
        @JsonUnwrapped PlannedPrecision precision,
        double passes,
        double sameTwice,
        @Nullable PlannedDuration duration) {

    /**
     * The cost of a campaign, apart from retries.
     *
     * @param tokens those that are known, added up; null: none is
     * @param costUsd the costs that are known, added up, in US dollars; null: none is
     * @param unpriced calls whose cost is not known, and so is not in {@code costUsd}
     */
    public record PlannedCost(
            long calls, @Nullable Long tokens, @Nullable BigDecimal costUsd, long unpriced) {}

    /**
     * The precision for one branch, at 95 %.
     *
     * @param halfWidth half the interval of the trial rate of other cases like these: the one that the report will have
     * @param halfWidthRunAgain the same of these very cases, run again
     * @param smallestDifference that a comparison of two such branches finds as often as is wanted, 0–1; null: it finds none
     * @param casesNeeded cases that find the difference that is assumed as often; null: no number of cases does
     * @param why why one of them is null; null: neither is
     */
    public record PlannedPrecision(
            double halfWidth,
            double halfWidthRunAgain,
            @Nullable Double smallestDifference,
            @Nullable Long casesNeeded,
            FindableDifference.@Nullable Why why) {}
}
