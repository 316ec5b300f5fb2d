package dev.assay.domain.comparison;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RateBasis;
import dev.assay.domain.gate.RateClusters;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.ReducedRate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A number of one of the two, on the cases that both share. The names are those of its JSON, which for rates is that of
 * {@link Proportion}.
 *
 * @param value a rate 0–1, tokens, US dollars or milliseconds; null when no case has one
 * @param low lower end of its interval for other cases like these; null where it has none
 * @param high upper end
 * @param successes null: it is no rate of counts
 * @param unknown as {@code successes}
 * @param denominator as {@code successes}
 * @param basis what the interval rests on
 * @param clusters what is known because trials belong to cases
 */
public record ComparedValue(
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Integer successes,
        @Nullable Integer unknown,
        @Nullable Integer denominator,
        @JsonUnwrapped RateBasis basis,
        @JsonUnwrapped RateClusters clusters) {

    private static final RateClusters NO_CLUSTERS = new RateClusters(null, null, null, null, null, null);

    static ComparedValue of(Proportion rate) {
        return new ComparedValue(
                rate.value(),
                rate.low(),
                rate.high(),
                rate.successes(),
                rate.unknown(),
                rate.denominator(),
                rate.basis(),
                rate.clusters());
    }

    static ComparedValue ofReduced(List<Double> values) {
        ReducedRate rate = ReducedRate.of(List.copyOf(values), Quantiles.LEVEL);
        Interval interval = rate.population();
        return new ComparedValue(
                rate.value(),
                interval == null ? null : interval.low(),
                interval == null ? null : interval.high(),
                null,
                null,
                null,
                new RateBasis(
                        rate.cases(),
                        null,
                        Quantiles.LEVEL,
                        RateBasis.Method.KORN_GRAUBARD,
                        rate.cases() == 1 ? RateBasis.Why.ONE_CASE : null),
                NO_CLUSTERS);
    }

    /** A mean over {@code cases} cases, null when there are none. */
    static ComparedValue ofMean(@Nullable Double mean, int cases) {
        return new ComparedValue(
                mean, null, null, null, null, null, new RateBasis(cases, null, null, null, null), NO_CLUSTERS);
    }
}
