package dev.assay.store.campaign;

import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.plan.DrawnOrder;
import dev.assay.domain.plan.GivenOrder;
import dev.assay.domain.plan.OrderRule;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.plan.TrialOrder;
import dev.assay.domain.results.ImportOrigin;
import dev.assay.domain.stop.Stopping;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code campaign}, with the name of its suite; without the summary, which may take megabytes.
 *
 * @param description what it is for, as its author says; null: nothing
 * @param createdBy who submitted it; null: not known
 * @param warnings of what its author was warned
 * @param metadata what its author notes
 */
public record StoredCampaign(
        String id,
        String name,
        @Nullable String description,
        SuiteRef suite,
        CampaignDefinition definition,
        LimitsInForce limits,
        CampaignStanding standing,
        Times times,
        @Nullable String createdBy,
        List<CampaignWarning.Code> warnings,
        Purpose purpose,
        CampaignMetadata metadata) {

    public StoredCampaign {
        warnings = List.copyOf(warnings);
    }

    /** A suite without its cases. */
    public record SuiteRef(String id, String name, int cases) {}

    /**
     * The limits in force, which users may change.
     *
     * @param trials repetitions of each case; may be more than the definition's after an extension
     * @param budgetUsd in US dollars; null: none
     * @param maxOutage how long it waits for a provider that is down; null: as the definition says
     */
    public record LimitsInForce(
            int trials,
            int maxConcurrent,
            @Nullable BigDecimal budgetUsd,
            Stopping stopping,
            @Nullable Duration maxOutage) {}

    /**
     * The progress of a campaign.
     *
     * @param verdict null: it has not completed
     * @param epoch work of an earlier one is stale
     * @param reruns how often finished cells were opened again
     * @param reopensSkipped whether a raised budget opens skipped cells as soon as no other is open
     * @param failureReason why it could not go on; null: it could
     * @param cancelledBranches indexes of the branches that a user cancelled while the others go on
     */
    public record CampaignStanding(
            CampaignState state,
            @Nullable Verdict verdict,
            int epoch,
            int reruns,
            boolean reopensSkipped,
            @Nullable String failureReason,
            Set<Integer> cancelledBranches) {

        public CampaignStanding {
            cancelledBranches = Set.copyOf(cancelledBranches);
        }
    }

    /**
     * The times at which a campaign was created, began first and ended last.
     *
     * @param started null: it has not begun
     * @param finished null: it has not ended, or goes on again
     */
    public record Times(
            Instant created,
            @Nullable Instant started,
            @Nullable Instant finished) {}

    /** The purpose of a campaign. */
    public sealed interface Purpose {}

    /**
     * The run of a suite; every trial is a session of its own.
     *
     * @param order in which it asks its trials
     */
    public record SuiteRun(TrialOrder order) implements Purpose {}

    /**
     * An evaluation: the place in its session.
     *
     * @param firstLoop number of its first loop in the session, from 1
     */
    public record SessionPlace(String sessionId, int firstLoop) implements Purpose {}

    /** The scoring of hypotheses: each case is a batch, and its only branch is the challenger. */
    public record HypothesisBatches() implements Purpose {}

    /**
     * The scoring of answers that another campaign has on record.
     *
     * @param of the id of that campaign, which may be deleted
     * @param copied whether all of its answers are copied; the scoring does not run before
     */
    public record Scoring(String of, String ofName, boolean copied) implements Purpose {}

    /**
     * The import of finished results: another tool asked its branches.
     *
     * @param origin where they come from
     */
    public record Imported(ImportOrigin origin) implements Purpose {}

    /** Whether it must not run yet, since the answers that it scores are still being copied. */
    public boolean awaitsAnswers() {
        return purpose instanceof Scoring scoring && !scoring.copied();
    }

    public String suiteId() {
        return suite.id();
    }

    public int caseCount() {
        return suite.cases();
    }

    public int trials() {
        return limits.trials();
    }

    public int maxConcurrent() {
        return limits.maxConcurrent();
    }

    public @Nullable BigDecimal budgetUsd() {
        return limits.budgetUsd();
    }

    public Stopping stopping() {
        return limits.stopping();
    }

    /** How long it waits for a provider that is down before it is paused; zero: its cells fail. */
    public Duration maxOutage() {
        return limits.maxOutage() == null ? definition.limits().maxOutage() : limits.maxOutage();
    }

    public CampaignState state() {
        return standing.state();
    }

    public @Nullable Verdict verdict() {
        return standing.verdict();
    }

    public int epoch() {
        return standing.epoch();
    }

    public int reruns() {
        return standing.reruns();
    }

    public @Nullable String failureReason() {
        return standing.failureReason();
    }

    public Instant createdAt() {
        return times.created();
    }

    public Set<Integer> cancelledBranches() {
        return standing.cancelledBranches();
    }

    /** The run in progress, or the last one. */
    public RunKey run() {
        return new RunKey(id, epoch());
    }

    /** Numbers the campaign's trials. */
    public TrialGrid grid() {
        return new TrialGrid(caseCount(), trials());
    }

    /** The order in which its trials are asked. It is of no account for what they are called, and how they are shown. */
    public TrialOrder order() {
        return purpose instanceof SuiteRun(TrialOrder order) ? order : new GivenOrder();
    }

    /** The rule of {@link #order}. */
    public OrderRule orderRule() {
        return switch (order()) {
            case GivenOrder _ -> OrderRule.GIVEN;
            case DrawnOrder _ -> OrderRule.DRAWN;
        };
    }

    /** Whether it is an evaluation, whose events are recorded. */
    public boolean isEvaluation() {
        return purpose instanceof SessionPlace;
    }

    /** Whether it scores hypotheses. */
    public boolean scoresHypotheses() {
        return purpose instanceof HypothesisBatches;
    }

    /** Whether a person waits for it: it then comes before campaigns that run suites. */
    public boolean isUrgent() {
        return isEvaluation() || scoresHypotheses();
    }

    /** The session of the trial's loops (docs/evaluations.md). */
    public String sessionId(int ordinal) {
        return purpose instanceof SessionPlace place ? place.sessionId() : LoopId.sessionOf(id, ordinal);
    }

    /**
     * The id of a loop of a trial.
     *
     * @param place among the trial's loops, from 0: its branches in order, then its judges
     */
    public LoopId loopId(int ordinal, int place, String segment) {
        int first = purpose instanceof SessionPlace session ? session.firstLoop() : 1;
        return new LoopId(sessionId(ordinal), segment, first + place);
    }
}
