package dev.assay.domain.statistics.judging;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Adds up Krippendorff's alpha, 1 − observed / expected disagreement, with values missing (Krippendorff, Computing Krippendorff's
 * Alpha-Reliability, 2011). Its interval leaves out one case at a time, with all its units: units of one case are no independent
 * ones. Only counts are held, so the order of units changes nothing. Not safe for use by several threads.
 *
 * <p>The interval is {@code alpha ∓ t(G − 1) √((G − 1) / G Σ (alpha without case g − their mean)²)}, cut to −1 … 1. That says
 * nothing where all without one case are the same or one is not defined. It is then alpha ∓ q / expected with
 * {@code q = 1 − ((1 − level) / 2)^(1 / G)}: what G cases without a surprise cannot rule out.
 *
 * @param <V> what a judge says of a unit; a {@link Number} for {@link Distance#INTERVAL}
 */
public final class KrippendorffAlpha<V extends Comparable<V>> {

    /** A standard error below this is one of rounding. */
    private static final double LEAST_ERROR = 1e-12;

    private static final Interval LIMITS = new Interval(-1, 1);

    private final Distance distance;
    private final SortedMap<Integer, Counts<V>> byCase = new TreeMap<>();
    private int units;
    private int values;

    /** The difference of two values. */
    public enum Distance {
        /** They are the same or not. */
        NOMINAL,
        /** By how many values lie between them. */
        ORDINAL,
        /** By the square of their difference. */
        INTERVAL
    }

    /** Two values that units of one size were given. */
    private record Pair<V>(int size, V one, V other) {}

    /** The values given to the units of one case, and each pair of different values. */
    private record Counts<V>(Map<V, Long> given, Map<Pair<V>, Long> pairs) {

        void add(Collection<V> unit) {
            Map<V, Long> times = new HashMap<>();
            unit.forEach(value -> times.merge(value, 1L, Long::sum));
            times.forEach((one, count) -> {
                given.merge(one, count, Long::sum);
                times.forEach((other, otherCount) -> {
                    if (!one.equals(other)) {
                        pairs.merge(new Pair<>(unit.size(), one, other), count * otherCount, Long::sum);
                    }
                });
            });
        }
    }

    public KrippendorffAlpha(Distance distance) {
        this.distance = distance;
    }

    /**
     * Adds a unit of a case by the values that it was given. One that was given fewer than two cannot agree with itself: it is
     * left out.
     */
    public void add(int caseIndex, Collection<V> unit) {
        if (unit.size() < 2) {
            return;
        }
        units++;
        values += unit.size();
        byCase.computeIfAbsent(caseIndex, _ -> new Counts<>(new HashMap<>(), new HashMap<>()))
                .add(unit);
    }

    /** The agreement of all units so far. */
    public Agreement agreement(double level) {
        Sums all = new Sums();
        byCase.values().forEach(one -> all.add(one, 1));
        Double alpha = all.alpha();
        Interval interval = alpha == null || byCase.size() < 2 ? null : interval(all, alpha, level);
        return new Agreement(
                alpha,
                interval == null ? null : interval.low(),
                interval == null ? null : interval.high(),
                units,
                values,
                byCase.size());
    }

    private Interval interval(Sums all, double alpha, double level) {
        int cases = byCase.size();
        double[] without = without(all);
        if (without.length == cases) {
            double mean = Arrays.stream(without).sum() / cases;
            double squares = Arrays.stream(without)
                    .map(one -> (one - mean) * (one - mean))
                    .sum();
            double error = Math.sqrt(squares * (cases - 1) / cases);
            if (error > LEAST_ERROR) {
                return Interval.around(alpha, Quantiles.student(cases - 1, level) * error, LIMITS);
            }
        }
        double unseen = 1 - Math.pow((1 - level) / 2, 1.0 / cases);
        return Interval.around(alpha, unseen / all.nominalDisagreement(), LIMITS);
    }

    /** Alpha without each case in turn, where it is defined. */
    private double[] without(Sums all) {
        double[] without = new double[byCase.size()];
        int defined = 0;
        for (Counts<V> one : byCase.values()) {
            all.add(one, -1);
            Double alpha = all.alpha();
            all.add(one, 1);
            if (alpha != null) {
                without[defined++] = alpha;
            }
        }
        return Arrays.copyOf(without, defined);
    }

    /** The sums in alpha: whole numbers, so that taking a case away and putting it back changes nothing. */
    private final class Sums {

        private final List<V> known;
        private final Map<V, Integer> places = new HashMap<>();
        private final long[] given;
        private final SortedMap<Integer, long[][]> pairs = new TreeMap<>();

        Sums() {
            SortedSet<V> distinct = new TreeSet<>();
            byCase.values().forEach(one -> distinct.addAll(one.given().keySet()));
            this.known = List.copyOf(distinct);
            known.forEach(value -> places.put(value, places.size()));
            this.given = new long[known.size()];
        }

        void add(Counts<V> one, int times) {
            one.given().forEach((value, count) -> given[place(value)] += count * times);
            one.pairs()
                    .forEach((pair, count) ->
                            pairs.computeIfAbsent(pair.size(), _ -> new long[given.length][given.length])[
                                            place(pair.one())][place(pair.other())] +=
                                    count * times);
        }

        private int place(V value) {
            return places.getOrDefault(value, -1);
        }

        /** One minus observed over expected disagreement; null when no disagreement is to be expected. */
        @Nullable
        Double alpha() {
            double[] positions = positions();
            double expected = 0;
            double observed = 0;
            for (int i = 0; i < given.length; i++) {
                for (int j = 0; j < given.length; j++) {
                    double apart = apart(positions, i, j);
                    expected += given[i] * (given[j] * apart);
                    for (Map.Entry<Integer, long[][]> size : pairs.entrySet()) {
                        observed += size.getValue()[i][j] * apart / (size.getKey() - 1);
                    }
                }
            }
            long total = Arrays.stream(given).sum();
            return expected <= 0 ? null : 1 - observed * (total - 1) / expected;
        }

        /** The rate at which two values differ by chance, 0–1. */
        double nominalDisagreement() {
            double total = Arrays.stream(given).sum();
            double same = Arrays.stream(given)
                    .mapToDouble(count -> count * (count - 1.0))
                    .sum();
            return 1 - same / (total * (total - 1));
        }

        private double apart(double[] positions, int i, int j) {
            double difference = positions[i] - positions[j];
            return distance == Distance.NOMINAL ? (i == j ? 0 : 1) : difference * difference;
        }

        private double[] positions() {
            double[] positions = new double[given.length];
            double below = 0;
            for (int i = 0; i < positions.length; i++) {
                positions[i] = switch (distance) {
                    case NOMINAL -> i;
                    case ORDINAL -> below + given[i] / 2.0;
                    case INTERVAL -> ((Number) (Object) known.get(i)).doubleValue();
                };
                below += given[i];
            }
            return positions;
        }
    }
}
