package dev.assay.domain.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * The mean over cases of a reducer whose values are 0–1, with the interval for other cases like these. The interval is
 * {@link ClopperPearson} with the {@link EffectiveSize} of the values.
 *
 * @param value the mean; null when no case has a value
 * @param population its interval at 95 %; null as {@code value}
 * @param undefined cases without one: they are counted, not averaged
 */
public record ReducedRate(@Nullable Double value, @Nullable Interval population, int cases, int undefined) {

    /** The rate of one value for each case, null where the reducer is not defined; in any order. */
    public static ReducedRate of(List<@Nullable Double> values, double level) {
        double[] known = values.stream()
                .filter(Objects::nonNull)
                .mapToDouble(value -> Objects.requireNonNull(value))
                .toArray();
        int undefined = values.size() - known.length;
        if (known.length == 0) {
            return new ReducedRate(null, null, 0, undefined);
        }
        Arrays.sort(known);
        double mean = Sum.of(known).getAsDouble() / known.length;
        Interval interval = ClopperPearson.of(mean, EffectiveSize.of(known), level);
        return new ReducedRate(mean, interval, known.length, undefined);
    }
}
