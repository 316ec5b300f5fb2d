package dev.assay.domain.gate;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The status of a case on one branch. */
public enum CaseStatus {
    @JsonProperty("passed")
    PASSED,
    @JsonProperty("failed")
    FAILED,
    /** Trials without evidence could turn it either way. */
    @JsonProperty("inconclusive")
    INCONCLUSIVE;

    static CaseStatus of(Verdict verdict) {
        return switch (verdict) {
            case PASS -> PASSED;
            case FAIL -> FAILED;
            case INCONCLUSIVE -> INCONCLUSIVE;
        };
    }
}
