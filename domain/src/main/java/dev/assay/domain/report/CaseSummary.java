package dev.assay.domain.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.assay.domain.gate.CaseGate;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Proportion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of one case on one branch, for people.
 *
 * @param passCount trials that passed
 * @param totalTrials all trials of the case, the denominator of {@code passRate}
 * @param passRate {@code passCount / totalTrials}, 0–1
 * @param status whether the pass rate reaches the threshold
 * @param noEvidence trials of which nothing is known; they stay in the denominator
 * @param low lower end of the pass rate's interval (see {@link Proportion}), 0–1
 * @param high upper end of it, 0–1
 * @param reducers the number of each reducer that the campaign names, itself null with too few trials with evidence; null: it names none
 */
public record CaseSummary(
        String caseId,
        int passCount,
        int totalTrials,
        double passRate,
        CaseStatus status,
        int noEvidence,
        double low,
        double high,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, @Nullable Double> reducers) {

    public CaseSummary {
        reducers = reducers == null || reducers.isEmpty()
                ? null
                : Collections.unmodifiableMap(new LinkedHashMap<>(reducers));
    }

    /** A case of a campaign that names no reducer. */
    public CaseSummary(
            String caseId,
            int passCount,
            int totalTrials,
            double passRate,
            CaseStatus status,
            int noEvidence,
            double low,
            double high) {
        this(caseId, passCount, totalTrials, passRate, status, noEvidence, low, high, null);
    }

    static CaseSummary of(String caseId, CaseGate gate, Proportion rate, Map<String, @Nullable Double> reducers) {
        return new CaseSummary(
                caseId,
                gate.passCount(),
                gate.totalTrials(),
                gate.passRate(),
                gate.status(),
                gate.noEvidence(),
                Objects.requireNonNull(rate.low()),
                Objects.requireNonNull(rate.high()),
                reducers);
    }
}
