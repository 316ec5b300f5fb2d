package dev.assay.domain.gate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The demands of a gate beyond its thresholds. Where a demand is not met, the verdict is INCONCLUSIVE.
 *
 * @param minAgreement how probable a re-run must say the same, 0–1; null: no demand
 * @param errors what a trial that ended in an error counts as
 * @param maxErrorRate share of the trials that were asked that may end in errors, 0–1; 1: no demand
 * @param lost what an import left out, with which the gate does not pass; null: nothing
 */
public record GateDemands(
        @Nullable Double minAgreement,
        ErrorTreatment errors,
        double maxErrorRate,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LostParts lost) {

    /** No demands: what the provider did not answer is no evidence. */
    public static final GateDemands NONE = new GateDemands(null, ErrorTreatment.PROVIDER, 1);

    /** Demands on a campaign of which nothing was left out. */
    public GateDemands(@Nullable Double minAgreement, ErrorTreatment errors, double maxErrorRate) {
        this(minAgreement, errors, maxErrorRate, null);
    }

    /** The same where an import left something out. */
    public GateDemands with(@Nullable LostParts other) {
        return new GateDemands(minAgreement, errors, maxErrorRate, other);
    }

    /** The treatment of a trial that ended in an error. */
    public enum ErrorTreatment {
        /** Nothing is known of it where the provider gave no answer; else it failed. */
        @JsonProperty("provider")
        PROVIDER,
        /** It failed. */
        @JsonProperty("fail")
        FAIL,
        /** Nothing is known of it. */
        @JsonProperty("unknown")
        UNKNOWN;

        /** PASSED, FAILED or NO_EVIDENCE: what a trial counts as that ended with {@code verdict}. */
        public TrialVerdict seen(TrialVerdict verdict) {
            return switch (verdict) {
                case PASSED, FAILED, NO_EVIDENCE -> verdict;
                case ERROR -> this == UNKNOWN ? TrialVerdict.NO_EVIDENCE : TrialVerdict.FAILED;
                case PROVIDER_ERROR -> this == FAIL ? TrialVerdict.FAILED : TrialVerdict.NO_EVIDENCE;
            };
        }
    }

    public GateDemands {
        if (minAgreement != null && !(minAgreement >= 0 && minAgreement <= 1)) {
            throw new IllegalArgumentException("minAgreement must be between 0 and 1");
        }
        if (!(maxErrorRate >= 0 && maxErrorRate <= 1)) {
            throw new IllegalArgumentException("maxErrorRate must be between 0 and 1");
        }
    }
}
