package dev.assay.domain.statistics.judging;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.ClopperPearson;
import dev.assay.domain.statistics.EffectiveSize;
import dev.assay.domain.statistics.Interval;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * A share of trials, each of which counts the same. Its interval is that of {@link ClopperPearson} with the {@link EffectiveSize}
 * of cases that weigh as much as they hold. Trials of one case are no independent ones. The names are those of its JSON.
 *
 * @param successes the numerator
 * @param value 0–1; null when the denominator is 0
 * @param low lower end of the interval; null as {@code value}
 * @param high its upper end
 * @param cases of those trials
 * @param effective the independent trials that they are worth; null as {@code value}
 */
public record Share(
        int successes,
        int denominator,
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
        int cases,
        @Nullable Double effective) {

    /** The share of trials that passed, of which all is known; whatever the order of the cases. */
    public static Share of(Collection<CaseCounts> cases, double level) {
        SortedMap<CaseCounts, Integer> groups = CaseCounts.grouped(cases);
        int successes = 0;
        int denominator = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            successes += group.getValue() * group.getKey().passed();
            denominator += group.getValue() * group.getKey().planned();
        }
        if (denominator == 0) {
            return new Share(0, 0, null, null, null, 0, null);
        }
        double value = (double) successes / denominator;
        double effective = effective(groups, value, denominator);
        Interval interval = ClopperPearson.of(value, effective, level);
        return new Share(successes, denominator, value, interval.low(), interval.high(), cases.size(), effective);
    }

    /** With weights w = n / N: 1 / Σ w² cases of mean squared rate Σ w (s / n)². */
    private static double effective(SortedMap<CaseCounts, Integer> groups, double value, double trials) {
        double[] weights = groups.entrySet().stream()
                .mapToDouble(group -> group.getValue() * square(group.getKey().planned() / trials))
                .toArray();
        double[] squares = groups.entrySet().stream()
                .mapToDouble(group -> group.getValue()
                        * square(group.getKey().passed())
                        / (group.getKey().planned() * trials))
                .toArray();
        return EffectiveSize.of(
                1 / Sum.of(weights).getAsDouble(), value, Sum.of(squares).getAsDouble(), trials);
    }

    private static double square(double value) {
        return value * value;
    }
}
