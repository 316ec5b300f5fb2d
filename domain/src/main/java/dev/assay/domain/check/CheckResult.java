package dev.assay.domain.check;

/**
 * What one check said of one outcome.
 *
 * @param type the check's type as users write it, such as {@code icontains}
 * @param status passed, failed, or unscored with the reason in {@code reason}
 * @param score 1 for passed, 0 for failed; null when unscored
 * @param reason one sentence for people
 * @param required whether a failure fails the trial
 */
public record CheckResult(
        String type,
        Status status,
        @org.jspecify.annotations.Nullable Double score,
        String reason,
        boolean required) {

    /** The three things that a check can say. */
    public enum Status {
        PASSED,
        FAILED,
        /** The check could not be decided; never counted as passed or failed without saying so. */
        UNSCORED
    }
}
