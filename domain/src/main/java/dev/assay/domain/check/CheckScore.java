package dev.assay.domain.check;

import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The score of several checks together.
 *
 * @param status with a threshold: whether the mean of all that was measured reaches it, whatever single checks say. Without: whether
 *     every required check passed. Unscored checks leave it open only where they could decide
 * @param score the mean, each by the weight of its check, cut to 0–1. It is 0 where none has a weight, and null where a check with a
 *     weight has no score
 * @param value the mean itself, where it lies outside of 0–1; null: the score
 */
public record CheckScore(
        Status status, @Nullable Double score, @Nullable Double value) {

    /**
     * Adds up.
     *
     * @param threshold 0–1; null: none
     */
    public static CheckScore of(List<CheckResult> results, @Nullable BigDecimal threshold) {
        double weights = 0;
        double scored = 0;
        double open = 0;
        for (CheckResult result : results) {
            weights += result.share();
            Double measured = result.measured();
            if (measured == null) {
                open += result.share();
            } else {
                scored += measured * result.share();
            }
        }
        double low = weights > 0 ? scored / weights : 0;
        double high = weights > 0 ? (scored + open) / weights : 0;
        boolean isCut = results.stream().anyMatch(result -> result.value() != null) && !(low >= 0 && low <= 1);
        return new CheckScore(
                threshold == null ? ofRequired(results) : ofMean(low, high, threshold.doubleValue()),
                open > 0 ? null : (Double) Math.clamp(low, 0.0, 1.0),
                open > 0 || !isCut ? null : (Double) low);
    }

    private static Status ofMean(double low, double high, double threshold) {
        return low >= threshold ? Status.PASSED : high < threshold ? Status.FAILED : Status.UNSCORED;
    }

    private static Status ofRequired(List<CheckResult> results) {
        List<Status> required = results.stream()
                .filter(CheckResult::required)
                .map(CheckResult::status)
                .toList();
        return required.contains(Status.FAILED)
                ? Status.FAILED
                : required.contains(Status.UNSCORED) ? Status.UNSCORED : Status.PASSED;
    }

    /** One sentence for people. */
    String reason(@Nullable BigDecimal threshold) {
        String mean = score == null ? "not known" : String.format(Locale.ROOT, "%.4f", score);
        if (threshold != null) {
            return "The mean score of the checks is " + mean + "; at least " + threshold.toPlainString() + " passes.";
        }
        return switch (status) {
            case PASSED -> "Every required check of the group passed; the mean score is " + mean + ".";
            case FAILED -> "A required check of the group failed; the mean score is " + mean + ".";
            case UNSCORED -> "A required check of the group is unscored; the mean score is " + mean + ".";
        };
    }
}
