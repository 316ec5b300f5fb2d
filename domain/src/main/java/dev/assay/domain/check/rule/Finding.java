package dev.assay.domain.check.rule;

import dev.assay.domain.check.rule.CheckResult.Status;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The finding of one rule on one outcome.
 *
 * @param score how well, 0–1; null: not known, as always where it is unscored
 * @param members what the checks said of which it is made; empty for all but groups, and for code that says so
 * @param value what was measured, where that lies outside of 0–1; null: the score
 * @param named further scores by name
 */
public record Finding(
        Status status,
        @Nullable Double score,
        String reason,
        List<CheckResult> members,
        @Nullable Double value,
        Map<String, NamedScore> named) {

    public Finding {
        if (score != null && !(score >= 0 && score <= 1)) {
            throw new IllegalArgumentException("A score must be from 0 to 1, but is " + score);
        }
        members = List.copyOf(members);
        named = Collections.unmodifiableMap(new LinkedHashMap<>(named));
    }

    /** A finding whose value is its score. */
    public Finding(Status status, @Nullable Double score, String reason, List<CheckResult> members) {
        this(status, score, reason, members, null, Map.of());
    }

    /** A finding of a single rule. */
    public Finding(Status status, @Nullable Double score, String reason) {
        this(status, score, reason, List.of());
    }

    public static Finding passed(String reason) {
        return new Finding(Status.PASSED, 1.0, reason);
    }

    public static Finding failed(String reason) {
        return new Finding(Status.FAILED, 0.0, reason);
    }

    public static Finding unscored(String reason) {
        return new Finding(Status.UNSCORED, null, reason);
    }

    /** Passed with one sentence, or failed with another. */
    public static Finding of(boolean passed, String whenPassed, String whenFailed) {
        return passed ? passed(whenPassed) : failed(whenFailed);
    }

    /** Passed where {@code score} reaches {@code threshold}. */
    public static Finding ofScore(double score, double threshold, String reason) {
        return new Finding(score >= threshold ? Status.PASSED : Status.FAILED, score, reason);
    }

    /** The same with another score. */
    public Finding withScore(@Nullable Double other) {
        return new Finding(status, other, reason, members, null, named);
    }

    /** Passed becomes failed and the other way round; the score becomes 1 minus the score. Unscored findings stay so. */
    public Finding negated() {
        Status negated = switch (status) {
            case PASSED -> Status.FAILED;
            case FAILED -> Status.PASSED;
            case UNSCORED -> Status.UNSCORED;
        };
        return new Finding(
                negated,
                score == null ? null : (Double) (1 - score),
                status == Status.UNSCORED ? reason : "Not wanted: " + reason,
                members);
    }
}
