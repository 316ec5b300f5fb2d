package dev.assay.domain.statistics.forecast;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Threshold;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The probability that the same campaign, run again, passes its gate on a branch.
 *
 * <p>Case rates are {@code Beta(μ ν, (1 − μ) ν)} with {@code ν = (1 − ρ) / ρ}, where μ and ρ are not known. They take the values of
 * a grid ({@link RerunGrid}), weighted by the likelihood of what was observed. At each point a case passes with P(Y ≥ needed), Y
 * beta-binomial given its own trials. The suite passes when enough cases do ({@link PassingCases}). Where the trials that pass are
 * counted, the mean of the case rates has the mean and the variance that its cases have there.
 */
public final class RerunForecast {

    /** Repeats, trials after the first of each case, below which the variation of cases is unknown. */
    private static final int LEAST_REPEATS = 10;

    /** How often a chance is below the low end of its range, and above the high one. */
    private static final double TAIL = 0.05;

    /** The standard deviations around a mean within which another one counts. */
    private static final double REACH = 5;

    private final SortedMap<CaseCounts, Integer> groups;
    private final int cases;

    private RerunForecast(SortedMap<CaseCounts, Integer> groups, int cases) {
        this.groups = groups;
        this.cases = cases;
    }

    /** The verdicts at one point of the grid, and how much it weighs. */
    private record Said(double weight, double pass, double fail) {}

    /** The mean of the case rates at a point. */
    private record Mean(double weight, double mean, double deviation, double spread) {}

    /**
     * The probability that thresholds are reached, 0–1; null below 10 repeats, where it is unknown.
     *
     * @param groups how many cases have the same counts
     * @param trials trials of each case when it is run again, at least 1
     * @param pass share of its trials that a case needs
     * @param suite share of cases that must pass
     */
    public static @Nullable Double passes(
            SortedMap<CaseCounts, Integer> groups, int trials, Threshold pass, Threshold suite) {
        RerunChances chances = of(groups, new RerunRule.Thresholds(trials, pass, suite));
        return chances == null ? null : (Double) chances.pass().value();
    }

    /** The chances of the verdicts; null below 10 repeats, where they are unknown. */
    public static @Nullable RerunChances of(SortedMap<CaseCounts, Integer> groups, RerunRule rule) {
        long repeats = 0;
        int cases = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            repeats += (long) Math.max(0, group.getKey().known() - 1) * group.getValue();
            cases += group.getValue();
        }
        return repeats < LEAST_REPEATS ? null : new RerunForecast(groups, cases).chances(rule);
    }

    /**
     * The pass rate that the trials of a case have when it is run again.
     *
     * @param mean its mean, 0–1
     * @param meanSquare the mean of its square, 0–1
     */
    public record CaseAgain(double mean, double meanSquare) {}

    /**
     * The pass rates of cases that are run again, by what they had.
     *
     * @param groups how many cases have the same counts, at least one
     * @param trials trials of each case when it is run again, at least 1
     */
    public static Map<CaseCounts, CaseAgain> rates(SortedMap<CaseCounts, Integer> groups, int trials) {
        List<RerunGrid.Point> points = RerunGrid.of(groups, 0);
        Map<CaseCounts, CaseAgain> rates = new HashMap<>();
        for (CaseCounts one : groups.keySet()) {
            double mean = 0;
            double meanSquare = 0;
            for (RerunGrid.Point point : points) {
                double rate = point.cases().rate(one.passed(), failed(one));
                double square = rate * rate + point.cases().variance(one.passed(), failed(one));
                mean += point.weight() * rate;
                meanSquare += point.weight() * (square + (rate - square) / trials);
            }
            rates.put(one, new CaseAgain(mean, meanSquare));
        }
        return rates;
    }

    private RerunChances chances(RerunRule rule) {
        List<Said> said = switch (rule) {
            case RerunRule.Thresholds thresholds -> byCases(thresholds);
            case RerunRule.OfMean ofMean -> byMean(ofMean);
        };
        return new RerunChances(chance(said, Said::pass), chance(said, Said::fail));
    }

    private List<Said> byCases(RerunRule.Thresholds rule) {
        int trials = rule.trials();
        int neededTrials = rule.pass().needed(trials);
        int neededCases = rule.suite().needed(cases);
        double[] logFactorials = BetaBinomial.risingLogs(1, trials);
        return RerunGrid.of(groups, trials).stream()
                .map(point -> {
                    PassingCases passing = new PassingCases(cases);
                    groups.forEach((one, count) -> passing.add(
                            count,
                            point.cases().atLeast(neededTrials, trials, one.passed(), failed(one), logFactorials)));
                    double passes = passing.atLeast(neededCases);
                    return new Said(point.weight(), passes, 1 - passes);
                })
                .toList();
    }

    private List<Said> byMean(RerunRule.OfMean rule) {
        List<Mean> means = RerunGrid.of(groups, 0).stream().map(this::mean).toList();
        double low = means.stream()
                .mapToDouble(one -> one.mean() - REACH * one.deviation())
                .min()
                .orElseThrow();
        double high = means.stream()
                .mapToDouble(one -> one.mean() + REACH * one.deviation())
                .max()
                .orElseThrow();
        double spread =
                means.stream().mapToDouble(one -> one.weight() * one.spread()).sum();
        RerunRule.Verdicts verdicts =
                rule.within(Interval.UNIT.nearest(low), Interval.UNIT.nearest(high), Interval.UNIT.nearest(spread));
        return means.stream()
                .map(one -> new Said(
                        one.weight(),
                        verdicts.passes(one.mean(), one.deviation()),
                        verdicts.fails(one.mean(), one.deviation())))
                .toList();
    }

    private Mean mean(RerunGrid.Point point) {
        double rates = 0;
        double variances = 0;
        double within = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            CaseCounts one = group.getKey();
            int count = group.getValue();
            double rate = point.cases().rate(one.passed(), failed(one));
            double variance = point.cases().variance(one.passed(), failed(one));
            rates += count * rate;
            variances += count * variance;
            within += count * (rate * (1 - rate) - variance);
        }
        double mean = rates / cases;
        double spread = 1 - within / cases / (mean * (1 - mean));
        return new Mean(point.weight(), mean, Math.sqrt(variances) / cases, spread);
    }

    private static int failed(CaseCounts one) {
        return one.known() - one.passed();
    }

    /** The mean over the grid, and its 5 % and 95 % points. */
    private static Chance chance(List<Said> said, ToDoubleFunction<Said> of) {
        List<Said> sorted = said.stream().sorted(Comparator.comparingDouble(of)).toList();
        double mean = 0;
        double before = 0;
        double low = of.applyAsDouble(sorted.getFirst());
        double high = low;
        for (Said one : sorted) {
            double value = of.applyAsDouble(one);
            mean += one.weight() * value;
            low = before <= TAIL ? value : low;
            high = before <= 1 - TAIL ? value : high;
            before += one.weight();
        }
        return new Chance(Interval.UNIT.nearest(mean), Interval.UNIT.nearest(low), Interval.UNIT.nearest(high));
    }
}
