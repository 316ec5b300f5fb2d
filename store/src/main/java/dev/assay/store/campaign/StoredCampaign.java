package dev.assay.store.campaign;

import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.plan.TrialGrid;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code campaign}, with the name of its suite; without the summary, which may take megabytes.
 *
 * @param trials the number in force; may be larger than the definition's after an extension
 * @param reruns how often finished cells were opened again
 * @param reopensSkipped whether a raised budget opens what was skipped, as soon as nothing else is open
 * @param maxConcurrent the limit in force
 * @param budgetUsd the budget in force; null: none
 * @param sessionId the session of an evaluation; null: this is none, and every trial is a session of its own
 * @param firstLoop number of an evaluation's first loop in its session; 0 when this is none
 * @param cancelledBranches indexes of the branches that a user cancelled while the others go on
 */
public record StoredCampaign(
        String id,
        String name,
        String suiteId,
        String suiteName,
        int caseCount,
        int trials,
        CampaignDefinition definition,
        CampaignState state,
        @Nullable Verdict verdict,
        int epoch,
        int reruns,
        boolean reopensSkipped,
        int maxConcurrent,
        @Nullable BigDecimal budgetUsd,
        @Nullable String failureReason,
        Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String sessionId,
        int firstLoop,
        Set<Integer> cancelledBranches) {

    public StoredCampaign {
        cancelledBranches = Set.copyOf(cancelledBranches);
    }

    /** Numbers the campaign's trials. */
    public TrialGrid grid() {
        return new TrialGrid(caseCount, trials);
    }

    /** Whether it is an evaluation, whose events are recorded. */
    public boolean isEvaluation() {
        return sessionId != null;
    }

    /** The session of the trial's loops (semantics A5). */
    public String sessionId(int ordinal) {
        return sessionId == null ? LoopId.sessionOf(id, ordinal) : sessionId;
    }

    /**
     * The id of a loop of a trial.
     *
     * @param place among the trial's loops, from 0: its branches in order, then its judges
     * @param segment names who runs it
     */
    public LoopId loopId(int ordinal, int place, String segment) {
        return new LoopId(sessionId(ordinal), segment, (sessionId == null ? 1 : firstLoop) + place);
    }
}
