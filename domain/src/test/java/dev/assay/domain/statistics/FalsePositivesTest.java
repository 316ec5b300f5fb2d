package dev.assay.domain.statistics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.comparison.ComparedCase;
import dev.assay.domain.comparison.ComparedMetric;
import dev.assay.domain.comparison.Comparison;
import dev.assay.domain.comparison.PairedCases;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.statistics.comparison.PairedScores;
import dev.assay.domain.statistics.comparison.RateTest;
import dev.assay.domain.statistics.comparison.RatioOfMeans;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How often is a difference found that is not there? Pairs of campaigns are drawn of one and the same model. {@code
 * -Dassay.campaigns=N} draws N for each setting; the full size is 10,000.
 */
@Tag("slow")
@Timeout(1_800)
class FalsePositivesTest {

    private static final int CAMPAIGNS = Integer.getInteger("assay.campaigns", 100);

    /** How often p may be at most .05, and what a draw of so many campaigns may add to it. */
    private static final double MOST = 0.06 + (CAMPAIGNS < 4_000 ? 3 * Math.sqrt(0.06 * 0.94 / CAMPAIGNS) : 0);

    private static final double[] RATES = {0.3, 0.8, 0.95, 0.98};

    private final SplittableRandom random = new SplittableRandom(28);
    private final Map<String, Double> cells = new TreeMap<>();

    /** A pair of campaigns: how many trials of a case are known on each side, and what cases have in common. */
    private record Setting(int cases, int first, int second, double rate, double icc, double missing, int groups) {}

    @Test
    void shouldFindNothingWhenTrialsAreMissing() {
        for (int cases : new int[] {5, 20, 60}) {
            for (int trials : new int[] {1, 2, 5}) {
                for (double missing : new double[] {0, 0.1, 0.3}) {
                    draw(cases, trials, trials, missing);
                }
            }
        }
        report("missing", 3 * 3 * 3 * 12);
    }

    @Test
    void shouldFindNothingWhenTrialsDiffer() {
        int[][] trials = {{1, 5}, {5, 1}, {1, 10}, {2, 20}};
        for (int cases : new int[] {5, 20, 60}) {
            for (int[] pair : trials) {
                for (double missing : new double[] {0, 0.3}) {
                    draw(cases, pair[0], pair[1], missing);
                }
            }
        }
        report("unequal trials", 3 * 4 * 2 * 12);
    }

    @Test
    void shouldFindNothingWhenCasesAreRelated() {
        for (int groups : new int[] {3, 5, 10, 20}) {
            for (int trials : new int[] {1, 5}) {
                for (double missing : new double[] {0, 0.3}) {
                    for (double rate : RATES) {
                        for (double icc : new double[] {0.2, 0.6}) {
                            add(new Setting(groups * 6, trials, trials, rate, icc, missing, groups));
                        }
                    }
                }
            }
        }
        report("groups", 4 * 2 * 2 * 8);
    }

    /** Fewer known trials make a case pass more easily: only cases with as many on both sides are tested. */
    @Test
    void shouldFindNoPassedCasesWhenTrialsAreMissing() {
        for (int cases : new int[] {20, 60}) {
            for (double rate : RATES) {
                for (double missing : new double[] {0.1, 0.3}) {
                    Setting setting = new Setting(cases, 3, 3, rate, 0.4, missing, 0);
                    int found = 0;
                    for (int i = 0; i < Math.min(CAMPAIGNS, 1_000); i++) {
                        found += isFound(passed(drawn(setting))) ? 1 : 0;
                    }
                    cells.put(setting.toString(), (double) found / Math.min(CAMPAIGNS, 1_000));
                }
            }
        }
        report("cases passed", 2 * 4 * 2);
    }

    /** The ratio of means is normal only of many cases: of ten whose costs lean far to one side it covers 91.7 %. */
    @Test
    void shouldCoverTheRatioOfMeansAndTheDifferenceOfScores() {
        Map<String, Double> covered = new TreeMap<>();
        for (int cases : new int[] {10, 28, 100}) {
            for (double spread : new double[] {0.2, 0.6}) {
                covered.put("ratio of " + cases + ", spread " + spread, coveredRatio(cases, spread));
                covered.put("scores of " + cases + ", spread " + spread, coveredScores(cases, spread));
            }
        }
        System.out.printf("%d campaigns a cell: %s%n", CAMPAIGNS, covered);
        assertThat(covered)
                .allSatisfy((what, share) -> assertThat(share)
                        .as(what)
                        .isGreaterThanOrEqualTo((what.startsWith("ratio of 10,") ? 0.91 : 0.93)
                                - (CAMPAIGNS < 4_000 ? 3 * Math.sqrt(0.05 * 0.95 / CAMPAIGNS) : 0)));
    }

    private void draw(int cases, int first, int second, double missing) {
        for (double rate : RATES) {
            for (double icc : new double[] {0, 0.4, 0.8}) {
                add(new Setting(cases, first, second, rate, icc, missing, 0));
            }
        }
    }

    private void add(Setting setting) {
        int found = 0;
        for (int i = 0; i < CAMPAIGNS; i++) {
            RateTest test = drawn(setting).test();
            found += isFound(test == null ? null : (Double) test.p()) ? 1 : 0;
        }
        cells.put(setting.toString(), (double) found / CAMPAIGNS);
    }

    private void report(String what, int settings) {
        System.out.printf(
                "%s: %d campaigns x %d cells, p <= .05 in %.4f at most, %.4f on average%n",
                what,
                CAMPAIGNS,
                cells.size(),
                cells.values().stream().mapToDouble(one -> one).max().orElseThrow(),
                cells.values().stream().mapToDouble(one -> one).average().orElseThrow());
        assertThat(cells).hasSize(settings);
        cells.values().removeIf(share -> share <= MOST);
        assertThat(cells).as("p <= .05 too often").isEmpty();
    }

    private static boolean isFound(@Nullable Double p) {
        return p != null && p <= 0.05;
    }

    /** Half of the cases are as hard for both, the other half by a draw of its own: two runs of a model that changed sideways. */
    private PairedRates drawn(Setting setting) {
        double[] ofFirst = difficulties(setting);
        double[] ofSecond = difficulties(setting);
        List<CaseCounts> first = new ArrayList<>();
        List<CaseCounts> second = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < setting.cases(); i++) {
            int group = setting.groups() == 0 ? i : i % setting.groups();
            double one = ofFirst[group];
            double other = group % 2 == 0 ? one : ofSecond[group];
            first.add(counts(setting.first(), one, 0));
            second.add(counts(setting.second(), other, setting.missing()));
            groups.add("g" + group);
        }
        return new PairedRates(first, second, first, second, setting.groups() == 0 ? null : groups);
    }

    private double[] difficulties(Setting setting) {
        double[] rates = new double[setting.groups() == 0 ? setting.cases() : setting.groups()];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = random.nextDouble() < setting.icc()
                    ? (random.nextDouble() < setting.rate() ? 1 : 0)
                    : setting.rate();
        }
        return rates;
    }

    private CaseCounts counts(int trials, double rate, double missing) {
        int passed = 0;
        int unknown = 0;
        for (int i = 0; i < trials; i++) {
            if (random.nextDouble() < missing) {
                unknown++;
            } else if (random.nextDouble() < rate) {
                passed++;
            }
        }
        return new CaseCounts(passed, unknown, trials);
    }

    private static @Nullable Double passed(PairedRates rates) {
        List<ComparedCase> first = new ArrayList<>();
        List<ComparedCase> second = new ArrayList<>();
        for (int i = 0; i < rates.first().size(); i++) {
            first.add(new ComparedCase("c" + i, "", rates.first().get(i)));
            second.add(new ComparedCase("c" + i, "", rates.second().get(i)));
        }
        ComparedMetric passed = Comparison.of(PairedCases.of(first, second), 1, List.of(), 0.02)
                .metrics()
                .get(1);
        return passed.p();
    }

    /** Costs that are log-normal, of cases that are dearer for both; the second costs a fifth more. */
    private double coveredRatio(int cases, double spread) {
        int covered = 0;
        for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
            double[] first = new double[cases];
            double[] second = new double[cases];
            for (int i = 0; i < cases; i++) {
                double size = Math.exp(spread * random.nextGaussian());
                first[i] = size * Math.exp(spread / 2 * random.nextGaussian());
                second[i] = 1.2 * size * Math.exp(spread / 2 * random.nextGaussian());
            }
            covered += holds(
                            requireNonNull(RatioOfMeans.of(first, second, null, Quantiles.LEVEL)
                                    .interval()),
                            1.2)
                    ? 1
                    : 0;
        }
        return (double) covered / CAMPAIGNS;
    }

    /** Scores around 0.6 and 0.5, of cases that are harder for both. */
    private double coveredScores(int cases, double spread) {
        int covered = 0;
        for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
            double[] first = new double[cases];
            double[] second = new double[cases];
            for (int i = 0; i < cases; i++) {
                double hard = spread * (random.nextDouble() - 0.5) / 2;
                first[i] = 0.6 + hard + 0.2 * (random.nextDouble() - 0.5);
                second[i] = 0.5 + hard + 0.2 * (random.nextDouble() - 0.5);
            }
            covered += holds(
                            requireNonNull(PairedScores.of(first, second, null, true, Quantiles.LEVEL)
                                    .difference()
                                    .interval()),
                            -0.1)
                    ? 1
                    : 0;
        }
        return (double) covered / CAMPAIGNS;
    }

    /** Times that are log-normal, of five trials a case; half of the variance lies between cases. */
    @Test
    void shouldCoverTheMedianOfTimesOfOtherCases() {
        Map<String, Double> covered = new TreeMap<>();
        for (int cases : new int[] {10, 28, 100}) {
            covered.put("by case, " + cases, coveredMedian(cases, true));
            covered.put("run again, " + cases, coveredMedian(cases, false));
        }
        System.out.printf("%d campaigns a cell: %s%n", CAMPAIGNS, covered);
        covered.keySet().removeIf(what -> what.startsWith("run again"));
        assertThat(covered)
                .allSatisfy((what, share) -> assertThat(share)
                        .as(what)
                        .isGreaterThanOrEqualTo(
                                0.93 - (CAMPAIGNS < 4_000 ? 3 * Math.sqrt(0.05 * 0.95 / CAMPAIGNS) : 0)));
    }

    private double coveredMedian(int cases, boolean byCase) {
        int covered = 0;
        for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
            TreeMap<Double, Integer> times = new TreeMap<>();
            for (int i = 0; i < cases; i++) {
                double ofCase = random.nextGaussian();
                for (int trial = 0; trial < 5; trial++) {
                    times.put(Math.exp(ofCase + random.nextGaussian()), i);
                }
            }
            double[] sorted = times.keySet().stream().mapToDouble(one -> one).toArray();
            int[] ofCases = times.values().stream().mapToInt(one -> one).toArray();
            LatencyQuantile median = byCase
                    ? LatencyQuantile.ofCases(sorted, ofCases, new int[0], 0.5, Quantiles.LEVEL)
                    : LatencyQuantile.of(sorted, 0, 0.5, Quantiles.LEVEL);
            boolean isLow = !(median.low() instanceof LatencyQuantile.Point.Measured(double low)) || low <= 1;
            boolean isHigh = !(median.high() instanceof LatencyQuantile.Point.Measured(double high)) || high >= 1;
            covered += isLow && isHigh ? 1 : 0;
        }
        return (double) covered / CAMPAIGNS;
    }

    private static boolean holds(Interval interval, double truth) {
        return interval.low() <= truth && truth <= interval.high();
    }
}
