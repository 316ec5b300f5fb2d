package dev.assay.domain.check;

/**
 * What one rule says of one response.
 *
 * @param status passed, failed or unscored
 * @param reason one sentence for people
 */
record Finding(CheckResult.Status status, String reason) {

    static Finding passed(String reason) {
        return new Finding(CheckResult.Status.PASSED, reason);
    }

    static Finding failed(String reason) {
        return new Finding(CheckResult.Status.FAILED, reason);
    }

    static Finding unscored(String reason) {
        return new Finding(CheckResult.Status.UNSCORED, reason);
    }

    /** Passed with one sentence, or failed with another. */
    static Finding of(boolean passed, String whenPassed, String whenFailed) {
        return passed ? passed(whenPassed) : failed(whenFailed);
    }
}
