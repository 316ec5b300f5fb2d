package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.CaseCounts;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.numbers.core.Sum;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The two-sided sign-flip test of two rates for each case (Fisher 1935): without a difference each case's difference could as
 * well have the other sign. With one trial each it is McNemar's exact test.
 *
 * <p>Exact by counting: all differences are whole multiples of one fraction, and the number of ways to each sum is added up case
 * by case. Where that takes too long, p = 2 (1 − Φ(|Σ d| / √Σ d²)).
 *
 * @param p 0–1; 1 when no case differs
 */
public record SignFlipTest(double p, Method method) {

    /** Steps that counting may take: a fraction of a second. */
    private static final BigInteger MOST_STEPS = BigInteger.valueOf(5_000_000);

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    /** The method that found a p-value. */
    public enum Method {
        EXACT,
        NORMAL
    }

    /** A difference as a fraction that cannot be reduced. */
    private record Difference(long numerator, long denominator) {

        static Difference of(CaseCounts first, CaseCounts second) {
            long numerator = (long) second.passed() * first.planned() - (long) first.passed() * second.planned();
            long denominator = (long) first.planned() * second.planned();
            long common = gcd(Math.abs(numerator), denominator);
            return new Difference(numerator / common, denominator / common);
        }

        double value() {
            return (double) numerator / denominator;
        }

        BigInteger times(BigInteger common) {
            return common.divide(BigInteger.valueOf(denominator)).multiply(BigInteger.valueOf(numerator));
        }

        private static long gcd(long one, long other) {
            return other == 0 ? one : gcd(other, one % other);
        }
    }

    /**
     * The test.
     *
     * @param first passed of planned trials of each shared case; what is unknown counts as failed
     * @param second the same with the second, in the same order
     */
    public static SignFlipTest of(List<CaseCounts> first, List<CaseCounts> second) {
        if (first.size() != second.size()) {
            throw new IllegalArgumentException(first.size() + " cases cannot be paired with " + second.size());
        }
        List<Difference> differences = IntStream.range(0, first.size())
                .mapToObj(i -> Difference.of(first.get(i), second.get(i)))
                .filter(difference -> difference.numerator() != 0)
                .toList();
        if (differences.isEmpty()) {
            return new SignFlipTest(1, Method.EXACT);
        }
        BigInteger common = differences.stream()
                .map(Difference::denominator)
                .distinct()
                .map(BigInteger::valueOf)
                .reduce(
                        BigInteger.ONE,
                        (one, other) -> one.divide(one.gcd(other)).multiply(other));
        return isTooMuch(differences, common)
                ? new SignFlipTest(approximate(differences), Method.NORMAL)
                : new SignFlipTest(
                        count(differences.stream()
                                .mapToInt(difference -> difference.times(common).intValueExact())
                                .toArray()),
                        Method.EXACT);
    }

    private static boolean isTooMuch(List<Difference> differences, BigInteger common) {
        BigInteger total = differences.stream()
                .map(difference -> difference.times(common).abs())
                .reduce(BigInteger.ZERO, BigInteger::add);
        return total.multiply(BigInteger.valueOf(differences.size())).compareTo(MOST_STEPS) > 0;
    }

    /** The share of all signs whose sum is as far from 0 as the one that was observed. */
    private static double count(int[] steps) {
        int observed = Math.abs(Arrays.stream(steps).sum());
        int[] sizes = Arrays.stream(steps).map(Math::abs).sorted().toArray();
        int most = Arrays.stream(sizes).sum();
        double[] shares = new double[2 * most + 1];
        shares[most] = 1;
        int reached = 0;
        for (int size : sizes) {
            double[] next = new double[shares.length];
            for (int sum = most - reached; sum <= most + reached; sum++) {
                next[sum + size] += 0.5 * shares[sum];
                next[sum - size] += 0.5 * shares[sum];
            }
            shares = next;
            reached += size;
        }
        double p = 0;
        for (int sum = 0; sum < shares.length; sum++) {
            p += Math.abs(sum - most) >= observed ? shares[sum] : 0;
        }
        return Math.min(1, p);
    }

    private static double approximate(List<Difference> differences) {
        double[] values =
                differences.stream().mapToDouble(Difference::value).sorted().toArray();
        double error = Math.sqrt(Sum.ofProducts(values, values).getAsDouble());
        return 2 * NORMAL.survivalProbability(Math.abs(Sum.of(values).getAsDouble()) / error);
    }
}
