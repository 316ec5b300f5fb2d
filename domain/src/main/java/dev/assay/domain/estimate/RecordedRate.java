package dev.assay.domain.estimate;

import dev.assay.domain.statistics.TrialRate;
import org.jspecify.annotations.Nullable;

/**
 * The pass rate of trials of an earlier campaign.
 *
 * @param rate above 0 and below 1. One case that passed and one that failed are added, so that a perfect run does not predict
 *     perfection
 * @param icc share of the variance that lies between cases, 0–1; null where one trial each cannot tell
 */
public record RecordedRate(
        String campaignId, double rate, @Nullable Double icc) {

    /** The rate of a campaign; null when it has none. */
    public static @Nullable RecordedRate of(String campaignId, TrialRate rate) {
        Double value = rate.value();
        int cases = rate.counts().cases();
        Double icc = rate.icc();
        return value == null
                ? null
                : new RecordedRate(
                        campaignId,
                        (value * cases + 1) / (cases + 2),
                        icc == null ? null : (Double) Math.clamp(icc, 0.0, 1.0));
    }
}
