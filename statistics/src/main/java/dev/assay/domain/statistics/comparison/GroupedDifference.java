package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Jackknife;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The mean difference of cases that are related: those of a group are sampled together. Its error is found by leaving out one group
 * at a time ({@link Jackknife}), with t of G − 1 degrees of freedom.
 *
 * <p>Where leaving out shows no error at all, all groups differ alike. Then G groups say as much as G cases: the interval and the
 * test are those of {@link PairedDifference} on the groups.
 */
final class GroupedDifference {

    private static final Interval LIMITS = new Interval(-1, 1);

    private final double[] sums;
    private final double[] cases;
    private final @Nullable Jackknife jackknife;

    private GroupedDifference(double[] sums, double[] cases) {
        this.sums = sums;
        this.cases = cases;
        this.jackknife = Jackknife.ofRatio(sums, cases);
    }

    /**
     * The difference.
     *
     * @param groups the group of each case, in the same order
     */
    static GroupedDifference of(double[] differences, List<String> groups) {
        Map<String, double[]> byGroup = sums(groups, differences, ones(differences.length));
        return new GroupedDifference(column(byGroup, 0), column(byGroup, 1));
    }

    /** The sums of two numbers in each group, by the group's name. */
    static Map<String, double[]> sums(List<String> groups, double[] left, double[] right) {
        Map<String, double[]> byGroup = new TreeMap<>();
        for (int i = 0; i < left.length; i++) {
            double[] sum = byGroup.computeIfAbsent(groups.get(i), _ -> new double[2]);
            sum[0] += left[i];
            sum[1] += right[i];
        }
        return byGroup;
    }

    static double[] column(Map<String, double[]> byGroup, int column) {
        return byGroup.values().stream().mapToDouble(sum -> sum[column]).toArray();
    }

    private static double[] ones(int count) {
        double[] ones = new double[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** The interval for other groups like these; null with fewer than two groups. */
    @Nullable
    Interval interval(double level) {
        if (jackknife == null) {
            return null;
        }
        return jackknife.varies()
                ? jackknife.interval(level, LIMITS)
                : PlusFour.of(asCases()).interval(level);
    }

    /**
     * The two-sided p-value of no difference; null with fewer than two groups.
     *
     * @param skewed whether differences lean to one side even without an effect: then {@link PlusFour} must agree
     */
    @Nullable
    Double p(boolean skewed) {
        if (jackknife == null) {
            return null;
        }
        double cautious = PlusFour.of(asCases()).p();
        if (!jackknife.varies()) {
            return cautious;
        }
        return skewed ? Math.max(cautious, jackknife.p()) : jackknife.p();
    }

    /** One difference for each group, weighed by its cases: their mean is that of the cases. */
    double[] asCases() {
        double all = Arrays.stream(cases).sum();
        return Arrays.stream(sums).map(sum -> sum * sums.length / all).sorted().toArray();
    }
}
