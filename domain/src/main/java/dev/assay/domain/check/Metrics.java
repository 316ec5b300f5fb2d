package dev.assay.domain.check;

import dev.assay.domain.check.rule.CheckResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Scores under the names that checks give them. Each is the mean of the scores of all checks of a name, those of groups included. A
 * check counts by its weight times those of the groups around it.
 */
public final class Metrics {

    private Metrics() {}

    /** A sum of scores, and of the weights that they have. */
    private record Sum(double scores, double weights) {

        Sum plus(Sum other) {
            return new Sum(scores + other.scores, weights + other.weights);
        }

        Sum times(double weight) {
            return new Sum(scores * weight, weights * weight);
        }
    }

    /** The means by name, in the order of the checks, 0–1; 0 where no check of a name has a weight. A name without a score is left out. */
    public static Map<String, Double> of(List<CheckResult> results) {
        Map<String, Double> means = new LinkedHashMap<>();
        sums(results).forEach((name, sum) -> means.put(name, sum.weights > 0 ? sum.scores / sum.weights : 0));
        return means;
    }

    private static Map<String, Sum> sums(List<CheckResult> results) {
        Map<String, Sum> sums = new LinkedHashMap<>();
        for (CheckResult result : results) {
            String own = result.metric();
            Double score = result.score();
            if (own != null && score != null) {
                sums.merge(own, new Sum(score, 1).times(result.share()), Sum::plus);
            }
            sums(result.members()).forEach((name, sum) -> {
                if (!name.equals(own)) {
                    sums.merge(name, sum.times(result.share()), Sum::plus);
                }
            });
        }
        return sums;
    }
}
