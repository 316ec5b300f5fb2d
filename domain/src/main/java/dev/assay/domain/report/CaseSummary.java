package dev.assay.domain.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.gate.CaseGate;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.statistics.FlakyCases;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of one case on one branch, for people.
 *
 * @param passCount trials that passed; of one that was asked again the first draw counts
 * @param totalTrials all trials of the case, the denominator of {@code passRate}
 * @param passRate {@code passCount / totalTrials}, 0–1
 * @param status whether the pass rate reaches the threshold, with what is unknown and with draws that disagree
 * @param noEvidence trials of which nothing is known; they stay in the denominator
 * @param low lower end of the pass rate's interval (see {@link Proportion}), 0–1
 * @param high upper end of it, 0–1
 * @param known pass rate of the trials of which something is known, 0–1; null when nothing is, and in older summaries
 * @param asked trials that ended in an answer or an error; null in older summaries
 * @param failCount trials that failed by their answer; null in older summaries
 * @param errors trials that ended in an error; null in older summaries
 * @param redrawn trials that were asked again after they had passed or failed; null in older summaries
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
        @Nullable Double known,
        @Nullable Integer asked,
        @Nullable Integer failCount,
        @Nullable Integer errors,
        @Nullable Integer redrawn,
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
        this(
                caseId,
                passCount,
                totalTrials,
                passRate,
                status,
                noEvidence,
                low,
                high,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** Whether it both passed and failed. Errors and what is unknown make no case flaky; nor do older summaries, which count neither. */
    @JsonIgnore
    public boolean isFlaky() {
        return failCount != null && FlakyCases.isFlaky(passCount, failCount);
    }

    /**
     * The status by FastSkill's rule (docs/fastskill.md): an error never passes and stays in the denominator, whatever the gate says of it.
     *
     * @param threshold share of the trials that must pass, 0–1
     */
    public CaseStatus statusWithErrorsFailed(double threshold) {
        return failCount == null || errors == null
                ? status
                : CaseGate.of(passCount, totalTrials - passCount - failCount - errors, totalTrials, threshold)
                        .status();
    }

    static CaseSummary of(
            String caseId,
            CaseEvidence evidence,
            CaseGate gate,
            Proportion rate,
            Map<String, @Nullable Double> reducers) {
        return new CaseSummary(
                caseId,
                rate.successes(),
                rate.denominator(),
                Objects.requireNonNull(rate.value()),
                gate.status(),
                rate.unknown(),
                Objects.requireNonNull(rate.low()),
                Objects.requireNonNull(rate.high()),
                rate.known(),
                rate.asked(),
                evidence.failed(),
                evidence.allErrors(),
                evidence.redraws().count(),
                reducers);
    }
}
