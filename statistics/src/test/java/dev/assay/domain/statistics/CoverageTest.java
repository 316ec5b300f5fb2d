package dev.assay.domain.statistics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.forecast.RerunForecast;
import dev.assay.domain.statistics.judging.Kappa;
import dev.assay.domain.statistics.judging.PairedVerdicts;
import dev.assay.domain.statistics.judging.PredictionPowered;
import dev.assay.domain.statistics.judging.PredictionPowered.Judged;
import dev.assay.domain.statistics.judging.PredictionPowered.Labelled;
import dev.assay.domain.statistics.judging.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Do the intervals cover what they say, and is the re-run agreement right? Campaigns are drawn whose truth is known.
 * {@code -Dassay.campaigns=N} draws N for each setting; the full size is 10,000, and 4,000 for differences.
 */
@Tag("slow")
@Timeout(1_800)
class CoverageTest {

    private static final int CAMPAIGNS = Integer.getInteger("assay.campaigns", 100);

    /** What an interval of 95 % must cover, and what a draw of so many campaigns may miss of it. */
    private static final double LEAST = 0.93 - (CAMPAIGNS < 4_000 ? 3 * Math.sqrt(0.05 * 0.95 / CAMPAIGNS) : 0);

    private static final double[] CORRELATIONS = {0, 0.2, 0.4, 0.6, 0.8};

    private final SplittableRandom random = new SplittableRandom(1);

    /** How often the trials of a case pass: Beta-distributed rates, drawn as Pólya's urn, or cases that always do or never. */
    private int passes(int trials, double rate, double icc, boolean deterministic) {
        if (deterministic && random.nextDouble() < icc) {
            return random.nextDouble() < rate ? trials : 0;
        }
        double size = deterministic || icc == 0 ? Double.POSITIVE_INFINITY : (1 - icc) / icc;
        int passed = 0;
        for (int i = 0; i < trials; i++) {
            double chance = Double.isInfinite(size) ? rate : (rate * size + passed) / (size + i);
            passed += random.nextDouble() < chance ? 1 : 0;
        }
        return passed;
    }

    @Test
    void shouldCoverTheRateOfCasesLikeThese() {
        List<String> cells = new ArrayList<>();
        double least = 1;
        double sum = 0;
        for (int cases : new int[] {5, 10, 28, 100}) {
            for (int trials : new int[] {2, 5, 10}) {
                for (double rate : new double[] {0.5, 0.8, 0.95}) {
                    for (double icc : CORRELATIONS) {
                        for (boolean deterministic : icc == 0 ? new boolean[] {false} : new boolean[] {false, true}) {
                            double covered = coverage(cases, trials, rate, icc, deterministic);
                            least = Math.min(least, covered);
                            sum += covered;
                            cells.add(cases + " x " + trials + " at " + rate + ", icc " + icc + ": " + covered);
                        }
                    }
                }
            }
        }
        System.out.printf(
                "trial rate: %d campaigns x %d cells, least %.4f, mean %.4f%n",
                CAMPAIGNS, cells.size(), least, sum / cells.size());
        assertThat(cells).hasSize(324);
        assertThat(least).as("%s", cells).isGreaterThanOrEqualTo(LEAST);
    }

    private double coverage(int cases, int trials, double rate, double icc, boolean deterministic) {
        Map<SortedMap<CaseCounts, Integer>, Boolean> known = new HashMap<>();
        int covered = 0;
        for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
            int[] drawn = new int[trials + 1];
            for (int i = 0; i < cases; i++) {
                drawn[passes(trials, rate, icc, deterministic)]++;
            }
            SortedMap<CaseCounts, Integer> groups = new TreeMap<>();
            for (int passed = 0; passed <= trials; passed++) {
                if (drawn[passed] > 0) {
                    groups.put(new CaseCounts(passed, 0, trials), drawn[passed]);
                }
            }
            covered += known.computeIfAbsent(groups, any -> covers(any, rate)) ? 1 : 0;
        }
        return (double) covered / CAMPAIGNS;
    }

    private static boolean covers(SortedMap<CaseCounts, Integer> groups, double rate) {
        Interval interval = requireNonNull(TrialRate.of(groups, Quantiles.LEVEL).population());
        return interval.low() <= rate && rate <= interval.high();
    }

    /** A drop of 40 points on five or ten cases is beyond it: there the interval covers 91.6 % of the time. */
    @Test
    void shouldCoverTheDifferenceOfTwoOnTheSameCases() {
        double[][] rates = {{0.5, 0.5}, {0.8, 0.8}, {0.95, 0.95}, {0.8, 0.7}, {0.95, 0.85}, {0.9, 0.8}};
        Map<String, Double> cells = new TreeMap<>();
        for (int cases : new int[] {5, 10, 28, 50, 100}) {
            for (int trials : new int[] {1, 2, 5}) {
                for (double[] pair : rates) {
                    for (double icc : CORRELATIONS) {
                        cells.put(
                                cases + " x " + trials + " at " + pair[0] + " and " + pair[1] + ", icc " + icc,
                                pairedCoverage(cases, trials, pair, icc));
                    }
                }
            }
        }
        double least = Collections.min(cells.values());
        System.out.printf(
                "difference: %d campaigns x %d cells, least %.4f, mean %.4f%n",
                Math.min(CAMPAIGNS, 4_000),
                cells.size(),
                least,
                cells.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElseThrow());
        cells.values().removeIf(covered -> covered >= 0.93);
        assertThat(least).as("%s", cells).isGreaterThanOrEqualTo(LEAST);
    }

    /** Cases that always pass or never do so for both by one draw in half of them: what is hard for one is harder for both. */
    private double pairedCoverage(int cases, int trials, double[] rates, double icc) {
        int campaigns = Math.min(CAMPAIGNS, 4_000);
        int covered = 0;
        for (int campaign = 0; campaign < campaigns; campaign++) {
            double[] first = new double[cases];
            double[] second = new double[cases];
            for (int i = 0; i < cases; i++) {
                boolean deterministic = random.nextDouble() < icc;
                double draw = random.nextDouble();
                double other = random.nextDouble() < 0.5 ? draw : random.nextDouble();
                first[i] = deterministic ? (draw < rates[0] ? 1 : 0) : share(trials, rates[0]);
                second[i] = deterministic ? (other < rates[1] ? 1 : 0) : share(trials, rates[1]);
            }
            Interval interval = requireNonNull(
                    PairedDifference.of(first, second, Quantiles.LEVEL).interval());
            double truth = rates[1] - rates[0];
            covered += interval.low() <= truth && truth <= interval.high() ? 1 : 0;
        }
        return (double) covered / campaigns;
    }

    private double share(int trials, double rate) {
        return passes(trials, rate, 0, false) / (double) trials;
    }

    /** What is said of a re-run, in ten bins, against re-runs of the same cases with their true rates. */
    @Test
    void shouldSayHowOftenARerunPasses() {
        int campaigns = Math.min(CAMPAIGNS, 1_500);
        double[] said = new double[10];
        double[] happened = new double[10];
        int[] count = new int[10];
        double[][] thresholds = {{0.8, 0.9}, {1, 0.7}, {0.6, 0.6}};
        for (int cases : new int[] {10, 28}) {
            for (int trials : new int[] {2, 5}) {
                for (double[] threshold : thresholds) {
                    for (int campaign = 0; campaign < campaigns; campaign++) {
                        double[] outcome =
                                rerun(cases, trials, new Threshold(threshold[0]), new Threshold(threshold[1]));
                        int bin = Math.min(9, (int) (outcome[0] * 10));
                        said[bin] += outcome[0];
                        happened[bin] += outcome[1];
                        count[bin]++;
                    }
                }
            }
        }
        for (int bin = 0; bin < 10; bin++) {
            System.out.printf(
                    "re-run: said %.3f, happened %.3f of %d%n",
                    said[bin] / count[bin], happened[bin] / count[bin], count[bin]);
            if (count[bin] >= 50) {
                double noise = 3 * Math.sqrt(0.25 / count[bin]);
                assertThat(Math.abs(said[bin] - happened[bin]) / count[bin])
                        .isLessThanOrEqualTo(campaigns < 1_500 ? 0.07 + noise : 0.07);
            }
        }
    }

    /** What is said after one campaign, and whether the next one of the same cases passes; rate and correlation are drawn. */
    private double[] rerun(int cases, int trials, Threshold pass, Threshold suite) {
        double sine = Math.sin(random.nextDouble() * Math.PI / 2);
        double rate = sine * sine;
        double icc = 0.01 + 0.98 * random.nextDouble();
        double size = (1 - icc) / icc;
        List<CaseCounts> first = new ArrayList<>();
        int passedAgain = 0;
        for (int i = 0; i < cases; i++) {
            int once = passes(trials, rate, icc, false);
            int again = 0;
            // The urn goes on: given its first trials, the case's next ones.
            for (int trial = 0; trial < trials; trial++) {
                double chance = (rate * size + once + again) / (size + trials + trial);
                again += random.nextDouble() < chance ? 1 : 0;
            }
            first.add(new CaseCounts(once, 0, trials));
            passedAgain += pass.isReached(again, trials) ? 1 : 0;
        }
        double said = requireNonNull(RerunForecast.passes(CaseCounts.grouped(first), trials, pass, suite));
        return new double[] {said, suite.isReached(passedAgain, cases) ? 1 : 0};
    }

    /** A case that people pass with a chance of its own, and a judge that is right of it more or less often. */
    private record JudgedCase(double passes, double sensitivity, double specificity) {}

    private JudgedCase judgedCase(double rate, double icc, double right) {
        double passes = random.nextDouble() < icc ? (random.nextDouble() < rate ? 1 : 0) : rate;
        // In a part of the cases the judge is no better than a coin: it errs by case, too.
        double skill = random.nextDouble() < icc / 2 ? 0.5 : right;
        return new JudgedCase(passes, skill, skill);
    }

    /** The true counts of what both say, as shares: the mean over cases, where every case has as many trials. */
    private static double[] truth(double rate, double icc, double right) {
        double skill = icc / 2 * 0.5 + (1 - icc / 2) * right;
        return new double[] {rate * skill, rate * (1 - skill), (1 - rate) * (1 - skill), (1 - rate) * skill};
    }

    @Test
    void shouldCoverAgreementWithPeople() {
        int campaigns = Math.min(CAMPAIGNS, 4_000);
        Map<String, Double> kappas = new TreeMap<>();
        Map<String, Double> shares = new TreeMap<>();
        for (int cases : new int[] {10, 30, 100}) {
            for (int trials : new int[] {1, 3, 5}) {
                for (double rate : new double[] {0.5, 0.8}) {
                    for (double icc : new double[] {0, 0.4, 0.8}) {
                        double[] truth = truth(rate, icc, 0.85);
                        double chance = (truth[0] + truth[1]) * (truth[0] + truth[2])
                                + (truth[2] + truth[3]) * (truth[1] + truth[3]);
                        double kappa = (truth[0] + truth[3] - chance) / (1 - chance);
                        int coveredKappa = 0;
                        int coveredShare = 0;
                        int defined = 0;
                        for (int campaign = 0; campaign < campaigns; campaign++) {
                            PairedVerdicts verdicts = verdicts(cases, trials, rate, icc);
                            Share agreement = verdicts.agreement(Quantiles.LEVEL);
                            coveredShare += covers(agreement.low(), agreement.high(), truth[0] + truth[3]);
                            Kappa found = verdicts.kappa(Quantiles.LEVEL);
                            defined += found.value() == null ? 0 : 1;
                            coveredKappa += covers(found.low(), found.high(), kappa);
                        }
                        String setting = cases + " x " + trials + " at " + rate + ", icc " + icc;
                        kappas.put(setting, (double) coveredKappa / defined);
                        shares.put(setting, (double) coveredShare / campaigns);
                    }
                }
            }
        }
        System.out.printf(
                "kappa: least %.4f; shares: least %.4f%n",
                Collections.min(kappas.values()), Collections.min(shares.values()));
        assertThat(kappas.values()).as("%s", kappas).allMatch(covered -> covered >= LEAST);
        assertThat(shares.values()).as("%s", shares).allMatch(covered -> covered >= LEAST);
    }

    private PairedVerdicts verdicts(int cases, int trials, double rate, double icc) {
        PairedVerdicts verdicts = new PairedVerdicts();
        for (int i = 0; i < cases; i++) {
            JudgedCase one = judgedCase(rate, icc, 0.85);
            for (int trial = 0; trial < trials; trial++) {
                boolean passes = random.nextDouble() < one.passes();
                verdicts.add(i, passes, judge(one, passes));
            }
        }
        return verdicts;
    }

    private boolean judge(JudgedCase one, boolean passes) {
        return random.nextDouble() < (passes ? one.sensitivity() : 1 - one.specificity());
    }

    private static int covers(@Nullable Double low, @Nullable Double high, double truth) {
        return low != null && high != null && low <= truth && truth <= high ? 1 : 0;
    }

    /** The corrected rate rests on a random sample: labels of what the judge failed tell another rate. */
    @Test
    void shouldCoverTheCorrectedRateOfASampleOnly() {
        double least = 1;
        double most = 0;
        for (int cases : new int[] {30, 100}) {
            for (int trials : new int[] {1, 3}) {
                for (double icc : new double[] {0, 0.4, 0.8}) {
                    least = Math.min(least, correctedCoverage(cases, trials, icc, true));
                    most = Math.max(most, correctedCoverage(cases, trials, icc, false));
                }
            }
        }
        System.out.printf("corrected rate: least %.4f, by verdict at most %.4f%n", least, most);
        assertThat(least).isGreaterThanOrEqualTo(LEAST);
        assertThat(most).isLessThan(0.93);
    }

    /** How often the interval covers the rate that people would give, with a third of the trials labelled. */
    private double correctedCoverage(int cases, int trials, double icc, boolean sampled) {
        int campaigns = Math.min(CAMPAIGNS, 4_000);
        double rate = 0.7;
        int covered = 0;
        for (int campaign = 0; campaign < campaigns; campaign++) {
            List<Labelled> all = new ArrayList<>();
            for (int i = 0; i < cases; i++) {
                JudgedCase one = judgedCase(rate, icc, 0.85);
                for (int trial = 0; trial < trials; trial++) {
                    boolean passes = random.nextDouble() < one.passes();
                    all.add(new Labelled(i, passes ? 1 : 0, judge(one, passes) ? 1 : 0));
                }
            }
            Collections.shuffle(all, new Random(random.nextLong()));
            if (!sampled) {
                all.sort(Comparator.comparingDouble(Labelled::judge));
            }
            int labels = all.size() / 3;
            Interval interval = requireNonNull(PredictionPowered.of(
                            all.subList(0, labels),
                            all.subList(labels, all.size()).stream()
                                    .map(one -> new Judged(one.caseIndex(), one.judge()))
                                    .toList(),
                            Quantiles.LEVEL)
                    .interval());
            covered += covers(interval.low(), interval.high(), rate);
        }
        return (double) covered / campaigns;
    }
}
