package dev.assay.domain.estimate;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.TrialRate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pass rate of the known trials of an earlier campaign of the same cases, which has ended.
 *
 * @param rate above 0 and below 1. One case that passed and one that failed are added, so that a perfect run does not predict
 *     perfection
 * @param icc share of the variance that lies between cases, 0–1; null where one trial each cannot tell
 */
public record RecordedRate(
        String campaignId, double rate, @Nullable Double icc) {

    /** The rate of a branch; null when nothing is known of its trials. What is unknown neither passed nor failed. */
    public static @Nullable RecordedRate of(String campaignId, List<CaseCounts> cases) {
        List<CaseCounts> known = cases.stream()
                .filter(one -> one.known() > 0)
                .map(one -> new CaseCounts(one.passed(), 0, one.known()))
                .toList();
        TrialRate rate = TrialRate.of(known, Quantiles.LEVEL);
        Double value = rate.value();
        Double icc = rate.icc();
        return value == null
                ? null
                : new RecordedRate(
                        campaignId,
                        (value * known.size() + 1) / (known.size() + 2),
                        icc == null ? null : (Double) Math.clamp(icc, 0.0, 1.0));
    }
}
