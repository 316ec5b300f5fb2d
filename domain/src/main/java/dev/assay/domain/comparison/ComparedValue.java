package dev.assay.domain.comparison;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RateBasis;
import dev.assay.domain.gate.RateClusters;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.MeanScore;
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
 * @param successes null: it is no rate of counts
 * @param unknown as {@code successes}
 * @param denominator as {@code successes}
 * @param known the rate of what is known, 0–1; null when nothing is, and where it is no rate of counts
 * @param asked how many of the denominator ended in an answer or an error; as {@code successes}
 * @param clusters what is known because trials belong to cases
 */
public record ComparedValue(
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Integer successes,
        @Nullable Integer unknown,
        @Nullable Integer denominator,
        @Nullable Double known,
        @Nullable Integer asked,
        @JsonUnwrapped RateBasis basis,
        @JsonUnwrapped RateClusters clusters) {

    private static final RateClusters NO_CLUSTERS = new RateClusters(null, null, null, null, null, null);

    /** No number. */
    static final ComparedValue NONE = new ComparedValue(
            null, null, null, null, null, null, null, null, new RateBasis(null, null, null, null, null), NO_CLUSTERS);

    static ComparedValue of(Proportion rate) {
        return new ComparedValue(
                rate.value(),
                rate.low(),
                rate.high(),
                rate.successes(),
                rate.unknown(),
                rate.denominator(),
                rate.known(),
                rate.asked(),
                rate.basis(),
                rate.clusters());
    }

    /**
     * The mean of a reducer.
     *
     * @param values at least one
     * @param graded whether they are scores, and not only how often a case passes
     */
    static ComparedValue ofReduced(List<Double> values, boolean graded) {
        List<@Nullable Double> all = List.copyOf(values);
        ReducedRate rate = graded ? MeanScore.of(all, Quantiles.LEVEL) : ReducedRate.of(all, Quantiles.LEVEL);
        Interval interval = rate.population();
        return new ComparedValue(
                rate.value(),
                interval == null ? null : interval.low(),
                interval == null ? null : interval.high(),
                null,
                null,
                null,
                null,
                null,
                new RateBasis(
                        rate.cases(),
                        null,
                        Quantiles.LEVEL,
                        graded ? RateBasis.Method.STUDENT_T : RateBasis.Method.KORN_GRAUBARD,
                        rate.cases() == 1 ? RateBasis.Why.ONE_CASE : null),
                NO_CLUSTERS);
    }

    /** A mean over {@code cases} cases. */
    static ComparedValue ofMean(double mean, int cases) {
        return new ComparedValue(
                mean,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                new RateBasis(cases, null, null, null, null),
                NO_CLUSTERS);
    }
}
