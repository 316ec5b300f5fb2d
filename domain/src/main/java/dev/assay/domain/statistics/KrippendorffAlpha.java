package dev.assay.domain.statistics;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds up Krippendorff's alpha for nominal values, with values missing (Krippendorff, Computing Krippendorff's
 * Alpha-Reliability, 2011). Units with the same values are counted together, so it needs little memory. Not safe for use by
 * several threads.
 *
 * @param <V> what a judge says of a unit
 */
public final class KrippendorffAlpha<V extends Comparable<V>> {

    /** The quantile of the normal distribution for an interval of 95 %. */
    private static final double Z = 1.959963984540054;

    /** How many units have the same values; a unit is how often each value was given. */
    private final Map<Map<V, Integer>, Integer> units = new HashMap<>();

    /** Adds a unit by the values that it was given. One that was given fewer than two cannot agree with itself: it is left out. */
    public void add(Collection<V> values) {
        if (values.size() < 2) {
            return;
        }
        Map<V, Integer> unit = new TreeMap<>();
        values.forEach(value -> unit.merge(value, 1, Integer::sum));
        units.merge(unit, 1, Integer::sum);
    }

    /** The agreement of all units so far. */
    public Agreement agreement() {
        Sums all = new Sums();
        units.forEach(all::add);
        int count = units.values().stream().mapToInt(Integer::intValue).sum();
        Double alpha = all.alpha();
        Double error = alpha == null ? null : standardError(all, count);
        return new Agreement(
                alpha,
                alpha == null || error == null ? null : alpha - Z * error,
                alpha == null || error == null ? null : Math.min(1, alpha + Z * error),
                count,
                (int) all.values);
    }

    /** Leaves out each unit in turn (Efron and Tibshirani 1993, 11.1); null where that leaves nothing that varies. */
    private @Nullable Double standardError(Sums all, int count) {
        double sum = 0;
        double squares = 0;
        for (Map.Entry<Map<V, Integer>, Integer> entry : units.entrySet()) {
            all.add(entry.getKey(), -1);
            Double without = all.alpha();
            all.add(entry.getKey(), 1);
            if (without == null) {
                return null;
            }
            sum += entry.getValue() * without;
            squares += entry.getValue() * without * without;
        }
        double mean = sum / count;
        return Math.sqrt(Math.max(0, squares - count * mean * mean) * (count - 1) / count);
    }

    /** The sums of the coincidence matrix that alpha is made of. */
    private final class Sums {

        private final Map<V, Long> byValue = new TreeMap<>();
        private double agreeing;
        private long values;

        /** @param times how many such units; negative: takes them away */
        void add(Map<V, Integer> unit, int times) {
            int size = unit.values().stream().mapToInt(Integer::intValue).sum();
            unit.forEach((value, given) -> {
                byValue.merge(value, (long) given * times, Long::sum);
                agreeing += (double) given * (given - 1) * times / (size - 1);
            });
            values += (long) size * times;
        }

        /** One minus observed over expected disagreement; null when no disagreement is to be expected. */
        @Nullable
        Double alpha() {
            double sameByChance = byValue.values().stream()
                    .mapToDouble(given -> (double) given * (given - 1))
                    .sum();
            double expected = (double) values * (values - 1) - sameByChance;
            return expected <= 0 ? null : ((values - 1) * agreeing - sameByChance) / expected;
        }
    }
}
