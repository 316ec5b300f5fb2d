package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Interval;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * The pass rates of two on the cases that they share, in the same order.
 *
 * @param first trials of each case with the first, of which points and tests are made
 * @param second the same with the second
 * @param firstBounds trials of each case with the first, of which the ends of intervals are made
 * @param secondBounds the same with the second
 * @param groups the group of each case, of which the cases are sampled together; null: cases are not related
 */
public record PairedRates(
        List<CaseCounts> first,
        List<CaseCounts> second,
        List<CaseCounts> firstBounds,
        List<CaseCounts> secondBounds,
        @Nullable List<String> groups) {

    public PairedRates {
        first = List.copyOf(first);
        second = List.copyOf(second);
        firstBounds = List.copyOf(firstBounds);
        secondBounds = List.copyOf(secondBounds);
        groups = groups == null ? null : List.copyOf(groups);
        int cases = first.size();
        if (second.size() != cases
                || firstBounds.size() != cases
                || secondBounds.size() != cases
                || (groups != null && groups.size() != cases)) {
            throw new IllegalArgumentException("Cases must come in pairs, each with its group");
        }
    }

    /** Rates whose bounds are those of their points, of cases that are not related. */
    public PairedRates(List<CaseCounts> first, List<CaseCounts> second) {
        this(first, second, first, second, null);
    }

    /**
     * The part of the difference that is known.
     *
     * @param value the mean over {@code cases} of the difference of their known rates, −1 … 1; null without such a case
     * @param cases the cases of which both have a known trial
     */
    public record Known(@Nullable Double value, int cases) {}

    /** How many groups the cases have; null: they are not related. */
    public @Nullable Integer groupCount() {
        return groups == null ? null : (Integer) Set.copyOf(groups).size();
    }

    /**
     * The difference with an interval for other cases like these. At the lower end the unknown of the second
     * failed and that of the first passed. The upper end takes it the other way round. Null with one group.
     */
    public PairedDifference difference(double level) {
        List<String> related = groups;
        Interval interval = related == null
                ? PairedDifference.ofCounts(firstBounds, secondBounds, level).interval()
                : grouped(related, level);
        return new PairedDifference(mean(differences()), interval, first.size());
    }

    private @Nullable Interval grouped(List<String> related, double level) {
        Interval low = GroupedDifference.of(boundary(CaseCounts::highest, CaseCounts::lowest), related)
                .interval(level);
        Interval high = GroupedDifference.of(boundary(CaseCounts::lowest, CaseCounts::highest), related)
                .interval(level);
        // Leaving out groups may show a smaller error where less is known: the ends keep their order.
        return low == null || high == null
                ? null
                : new Interval(Math.min(low.low(), high.low()), Math.max(low.high(), high.high()));
    }

    private double[] boundary(ToDoubleFunction<CaseCounts> ofFirst, ToDoubleFunction<CaseCounts> ofSecond) {
        return IntStream.range(0, first.size())
                .mapToDouble(
                        i -> ofSecond.applyAsDouble(secondBounds.get(i)) - ofFirst.applyAsDouble(firstBounds.get(i)))
                .toArray();
    }

    /** The same rates of known trials alone, on the cases of which both have one. */
    public PairedRates certain() {
        int[] places = IntStream.range(0, first.size())
                .filter(i -> first.get(i).known() > 0 && second.get(i).known() > 0)
                .toArray();
        List<CaseCounts> one = certain(first, places);
        List<CaseCounts> other = certain(second, places);
        List<String> related = groups;
        return new PairedRates(
                one,
                other,
                one,
                other,
                related == null
                        ? null
                        : Arrays.stream(places).mapToObj(related::get).toList());
    }

    /** What is known of the difference: unknown trials neither passed nor failed. */
    public Known known() {
        PairedRates certain = certain();
        return new Known(mean(certain.differences()), certain.first.size());
    }

    /**
     * The test of no difference by known trials: {@link SignFlipTest}, where both have as many in each case. Else it is that of
     * {@link PlusFour}, and with groups that of {@link GroupedDifference}. Null where nothing is known, and with one group.
     */
    public @Nullable RateTest test() {
        PairedRates certain = certain();
        return certain.first.isEmpty() ? null : certain.testOfKnown();
    }

    private @Nullable RateTest testOfKnown() {
        boolean isBalanced = IntStream.range(0, first.size())
                .allMatch(i -> first.get(i).planned() == second.get(i).planned());
        double[] differences = differences();
        if (groups != null) {
            Double p = GroupedDifference.of(differences, groups).p(!isBalanced);
            return p == null ? null : new RateTest(p, RateTest.Method.JACKKNIFE);
        }
        if (isBalanced) {
            return RateTest.of(SignFlipTest.of(first, second));
        }
        Arrays.sort(differences);
        return new RateTest(PlusFour.of(differences).p(), RateTest.Method.STUDENTISED);
    }

    /** The differences of what is sampled one by one, with what is unknown as failed: of cases, or of groups. */
    public double[] sampled() {
        return groups == null
                ? differences()
                : GroupedDifference.of(differences(), groups).asCases();
    }

    /** With what is unknown as failed. */
    private double[] differences() {
        return IntStream.range(0, first.size())
                .mapToDouble(i -> second.get(i).lowest() - first.get(i).lowest())
                .toArray();
    }

    private static @Nullable Double mean(double[] differences) {
        Arrays.sort(differences);
        return differences.length == 0 ? null : (Double) (Sum.of(differences).getAsDouble() / differences.length);
    }

    private static List<CaseCounts> certain(List<CaseCounts> cases, int[] places) {
        return Arrays.stream(places).mapToObj(i -> cases.get(i).certain()).toList();
    }
}
