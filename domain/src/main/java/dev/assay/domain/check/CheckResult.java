package dev.assay.domain.check;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What one check said of one outcome.
 *
 * @param type the check's type as users write it, such as {@code icontains}
 * @param status passed, failed, or unscored with the reason in {@code reason}
 * @param score 1 for passed, 0 for failed; null when unscored
 * @param reason one sentence for people
 * @param required whether a failure fails the trial
 * @param weight how much it counts beside other checks, at least 0; null: 1
 */
public record CheckResult(
        String type,
        Status status,
        @Nullable Double score,
        String reason,
        boolean required,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigDecimal weight) {

    public CheckResult(String type, Status status, @Nullable Double score, String reason, boolean required) {
        this(type, status, score, reason, required, null);
    }

    /** The three things that a check can say. */
    public enum Status {
        PASSED,
        FAILED,
        /** The check could not be decided; never counted as passed or failed without saying so. */
        UNSCORED
    }
}
