package dev.assay.domain.export;

import dev.assay.domain.check.Metrics;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.statistics.MeanScore;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.ReducedRate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Means over cases of the scores to which checks give names, of outcomes as they come. It holds a sum for each case and name. */
public final class MetricMeans {

    /** Names that are kept. Those that come after are left out. */
    public static final int MOST = 20;

    private final int cases;
    private final Map<String, Sums> byName = new LinkedHashMap<>();

    /** Nothing yet, of a campaign with so many cases. */
    public MetricMeans(int cases) {
        this.cases = cases;
    }

    private static final class Sums {
        private final double[] scores;
        private final int[] trials;

        private Sums(int cases) {
            this.scores = new double[cases];
            this.trials = new int[cases];
        }

        private ReducedRate mean() {
            List<@Nullable Double> means = new ArrayList<>(trials.length);
            for (int i = 0; i < trials.length; i++) {
                means.add(trials[i] == 0 ? null : (Double) (scores[i] / trials[i]));
            }
            return MeanScore.of(means, Quantiles.LEVEL);
        }
    }

    /** Adds a trial with evidence. */
    public void add(int caseIndex, List<CheckResult> checks) {
        Metrics.of(checks).forEach((name, score) -> {
            if (byName.size() < MOST || byName.containsKey(name)) {
                Sums sums = byName.computeIfAbsent(name, _ -> new Sums(cases));
                sums.scores[caseIndex] += score;
                sums.trials[caseIndex]++;
            }
        });
    }

    /** The mean of each name, in the order in which they came. */
    Map<String, ReducedRate> means() {
        Map<String, ReducedRate> means = new LinkedHashMap<>();
        byName.forEach((name, sums) -> means.put(name, sums.mean()));
        return means;
    }
}
