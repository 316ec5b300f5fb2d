package dev.assay.domain.statistics.judging;

import dev.assay.domain.statistics.ClopperPearson;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The share of readings in which a judge names what it saw first. Evidence of a bias only where every comparison was shown in all
 * rotations: else place and branch are the same thing.
 *
 * @param value share of readings that named the first place, 0–1; null when there are none
 * @param interval the share's interval at 95 %, {@link ClopperPearson}; null as {@code value}
 * @param expected the share that a judge without a bias has: the mean of 1 / shown; null as {@code value}
 */
public record PositionBias(
        @Nullable Double value,
        @Nullable Interval interval,
        @Nullable Double expected,
        int of) {

    /** Counts readings. Not safe for use by several threads. */
    public static final class Counter {

        /** Readings by how many responses were shown. */
        private final SortedMap<Integer, Integer> byShown = new TreeMap<>();

        private int first;

        /**
         * Adds a reading.
         *
         * @param place that the reading named, from 0
         * @param shown how many responses were shown, at least 1
         */
        public void add(int place, int shown) {
            if (place < 0 || place >= shown) {
                throw new IllegalArgumentException("There is no place " + place + " among " + shown);
            }
            byShown.merge(shown, 1, Integer::sum);
            first += place == 0 ? 1 : 0;
        }

        /** The bias over all readings. */
        public PositionBias bias() {
            int readings = byShown.values().stream().mapToInt(Integer::intValue).sum();
            if (readings == 0) {
                return new PositionBias(null, null, null, 0);
            }
            double value = (double) first / readings;
            double expected = byShown.entrySet().stream()
                    .mapToDouble(entry -> (double) entry.getValue() / entry.getKey())
                    .sum();
            return new PositionBias(
                    value, ClopperPearson.of(value, readings, Quantiles.LEVEL), expected / readings, readings);
        }
    }
}
