package dev.assay.domain.check;

/**
 * What one rule says of one response.
 *
 * @param status passed, failed or unscored
 * @param reason one sentence for people
 */
public record Finding(CheckResult.Status status, String reason) {

    public static Finding passed(String reason) {
        return new Finding(CheckResult.Status.PASSED, reason);
    }

    public static Finding failed(String reason) {
        return new Finding(CheckResult.Status.FAILED, reason);
    }

    public static Finding unscored(String reason) {
        return new Finding(CheckResult.Status.UNSCORED, reason);
    }

    /** Passed with one sentence, or failed with another. */
    public static Finding of(boolean passed, String whenPassed, String whenFailed) {
        return passed ? passed(whenPassed) : failed(whenFailed);
    }
}
