package dev.assay.domain.statistics.forecast;

import dev.assay.domain.statistics.CaseCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The grid of means and correlations that case rates may have: {@code μ = sin²((a + ½) π / 96)}, a = 0 … 47 (Jeffreys' prior), and
 * {@code ρ = (b + ½) / 20}, b = 0 … 19 (uniform).
 */
final class RerunGrid {

    private static final int MEANS = 48;
    private static final int CORRELATIONS = 20;

    /** A point that weighs less than this share of the heaviest changes no shown digit. */
    private static final double NEGLIGIBLE = 1e-12;

    private RerunGrid() {}

    /**
     * A point.
     *
     * @param weight its posterior probability; together 1
     */
    record Point(BetaBinomial cases, double weight) {}

    /**
     * The points that weigh something.
     *
     * @param more trials of a case that will be asked about, beyond those
     */
    static List<Point> of(SortedMap<CaseCounts, Integer> groups, int more) {
        int observed =
                groups.keySet().stream().mapToInt(CaseCounts::known).max().orElseThrow();
        List<Point> logs = new ArrayList<>();
        double greatest = Double.NEGATIVE_INFINITY;
        for (int a = 0; a < MEANS; a++) {
            double sine = Math.sin((a + 0.5) / MEANS * Math.PI / 2);
            for (int b = 0; b < CORRELATIONS; b++) {
                BetaBinomial cases = at(sine * sine, (b + 0.5) / CORRELATIONS, observed + more);
                double log = logLikelihood(cases, groups);
                logs.add(new Point(cases, log));
                greatest = Math.max(greatest, log);
            }
        }
        return weighted(logs, greatest);
    }

    private static List<Point> weighted(List<Point> logs, double greatest) {
        double sum = 0;
        List<Point> kept = new ArrayList<>();
        for (Point point : logs) {
            double weight = Math.exp(point.weight() - greatest);
            if (weight > NEGLIGIBLE) {
                kept.add(new Point(point.cases(), weight));
                sum += weight;
            }
        }
        double all = sum;
        return kept.stream()
                .map(point -> new Point(point.cases(), point.weight() / all))
                .toList();
    }

    private static BetaBinomial at(double mean, double correlation, int most) {
        double size = (1 - correlation) / correlation;
        return new BetaBinomial(mean * size, (1 - mean) * size, most);
    }

    private static double logLikelihood(BetaBinomial point, SortedMap<CaseCounts, Integer> groups) {
        double sum = 0;
        for (Map.Entry<CaseCounts, Integer> group : groups.entrySet()) {
            CaseCounts one = group.getKey();
            sum += group.getValue() * point.logLikelihood(one.passed(), one.known() - one.passed());
        }
        return sum;
    }
}
