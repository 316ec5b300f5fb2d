package dev.assay.domain.check;

import dev.assay.domain.check.rule.CheckResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Scores under the names that checks give them, or own code says. Each is the mean of the scores of a name, those in groups included.
 * A check counts by its weight times those of the groups around it.
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

    /**
     * The means by name, in the order of the checks; 0 where no check of a name has a weight. A name without a score is left out. They
     * are 0–1 but where own code says other numbers.
     */
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
            result.named().forEach((name, one) -> {
                if (!name.equals(own)) {
                    Sum sum = new Sum(one.score(), 1).times(one.weight()).times(result.share());
                    sums.merge(name, sum, Sum::plus);
                }
            });
            sums(result.members()).forEach((name, sum) -> {
                if (!name.equals(own)) {
                    sums.merge(name, sum.times(result.share()), Sum::plus);
                }
            });
        }
        return sums;
    }
}
