package dev.assay.domain.statistics.forecast;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Threshold;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The probability that the same campaign, run again, passes its gate on a branch.
 *
 * <p>Case rates are {@code Beta(μ ν, (1 − μ) ν)} with {@code ν = (1 − ρ) / ρ}, where μ and ρ are not known. They take the values of
 * a grid, weighted by the likelihood of what was observed. The grid has {@code μ = sin²((a + ½) π / 96)}, a = 0 … 47 (Jeffreys'
 * prior) and {@code ρ = (b + ½) / 20}, b = 0 … 19 (uniform). At each point a case passes with P(Y ≥ needed), Y beta-binomial given
 * its own trials. The suite passes when enough cases do ({@link PassingCases}).
 */
public final class RerunForecast {

    private static final int MEANS = 48;
    private static final int CORRELATIONS = 20;

    /** Repeats, trials after the first of each case, below which the variation of cases is unknown. */
    private static final int LEAST_REPEATS = 10;

    /** A point that weighs less than this share of the heaviest changes no shown digit. */
    private static final double NEGLIGIBLE = 1e-12;

    private final SortedMap<CaseCounts, Integer> groups;
    private final int trials;
    private final int cases;
    private final int neededTrials;
    private final int neededCases;
    private final double[] logFactorials;

    private RerunForecast(
            SortedMap<CaseCounts, Integer> groups, int cases, int trials, Threshold pass, Threshold suite) {
        this.groups = groups;
        this.trials = trials;
        this.cases = cases;
        this.neededTrials = pass.needed(trials);
        this.neededCases = suite.needed(cases);
        this.logFactorials = BetaBinomial.risingLogs(1, trials);
    }

    /**
     * The probability, 0–1; null below 10 repeats, where it is unknown.
     *
     * @param groups how many cases have the same counts
     * @param trials trials of each case when it is run again, at least 1
     * @param pass share of its trials that a case needs
     * @param suite share of cases that must pass
     */
    public static @Nullable Double passes(
            SortedMap<CaseCounts, Integer> groups, int trials, Threshold pass, Threshold suite) {
        long repeats = 0;
        int cases = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            repeats += (long) Math.max(0, group.getKey().known() - 1) * group.getValue();
            cases += group.getValue();
        }
        return repeats < LEAST_REPEATS ? null : new RerunForecast(groups, cases, trials, pass, suite).passes();
    }

    private double passes() {
        int observed =
                groups.keySet().stream().mapToInt(CaseCounts::known).max().orElseThrow();
        BetaBinomial[] points = points(observed + trials);
        double[] logs = new double[points.length];
        double greatest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < points.length; i++) {
            logs[i] = logLikelihood(points[i]);
            greatest = Math.max(greatest, logs[i]);
        }
        double weights = 0;
        double passes = 0;
        for (int i = 0; i < points.length; i++) {
            double weight = Math.exp(logs[i] - greatest);
            if (weight > NEGLIGIBLE) {
                weights += weight;
                passes += weight * passes(points[i]);
            }
        }
        return Interval.UNIT.nearest(passes / weights);
    }

    private static BetaBinomial[] points(int most) {
        BetaBinomial[] points = new BetaBinomial[MEANS * CORRELATIONS];
        for (int a = 0; a < MEANS; a++) {
            double sine = Math.sin((a + 0.5) / MEANS * Math.PI / 2);
            double mean = sine * sine;
            for (int b = 0; b < CORRELATIONS; b++) {
                double correlation = (b + 0.5) / CORRELATIONS;
                double size = (1 - correlation) / correlation;
                points[a * CORRELATIONS + b] = new BetaBinomial(mean * size, (1 - mean) * size, most);
            }
        }
        return points;
    }

    private double logLikelihood(BetaBinomial point) {
        double sum = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            CaseCounts one = group.getKey();
            sum += group.getValue() * point.logLikelihood(one.passed(), one.known() - one.passed());
        }
        return sum;
    }

    private double passes(BetaBinomial point) {
        PassingCases passing = new PassingCases(cases);
        groups.forEach((one, count) -> passing.add(
                count, point.atLeast(neededTrials, trials, one.passed(), one.known() - one.passed(), logFactorials)));
        return passing.atLeast(neededCases);
    }
}
