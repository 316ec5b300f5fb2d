package dev.assay.web.evaluation;

import dev.assay.domain.agent.AgentName;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.AgentEvent.AgentEnd;
import dev.assay.domain.event.AgentEvent.AgentStart;
import dev.assay.domain.event.AgentEvent.ParallelLoopEnd;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.usage.Usage;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evaluation.EventRepository;
import dev.assay.store.evaluation.StoredEvaluation;
import dev.assay.web.evaluation.EvaluationView.BranchOutcome;
import dev.assay.web.outcome.OutcomeError;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Writes the end of evaluations as events. An evaluation may end in a worker, by a client or because it could not go on. The first
 * request that looks at its events afterwards writes the last ones, once.
 */
@Singleton
final class EvaluationEnd {

    private static final Failure NEVER_BEGUN =
            new Failure(ErrorCode.CANCELLED, "The evaluation ended before the branch began.");

    private final EvaluationQueries reads;
    private final EventRepository events;

    EvaluationEnd(EvaluationQueries reads, EventRepository events) {
        this.reads = reads;
        this.events = events;
    }

    /** Writes the end of the evaluation, if it has settled and its end is missing. True when its last event is stored now. */
    boolean tell(StoredEvaluation evaluation) {
        if (!reads.isSettled(evaluation)) {
            return false;
        }
        if (events.isOver(evaluation.id())) {
            return true;
        }
        EvaluationView view = reads.view(evaluation);
        Instant at = Objects.requireNonNullElse(
                evaluation.campaign().times().finished(), evaluation.campaign().createdAt());
        List<AgentEvent> last = new ArrayList<>(branchEnds(evaluation, view, at));
        last.addAll(strategyEnd(evaluation, at));
        last.add(new ParallelLoopEnd(
                evaluation.sessionId(),
                view.selectedLoopId(),
                view.selectedIndex(),
                view.evaluationUsage(),
                view.evaluationUnknownUsage(),
                at));
        events.append(evaluation.id(), last);
        return true;
    }

    /**
     * Beginning and end of each branch, so that readers find those of every loop that was announced. Appending leaves out what a
     * worker has written already. Missing are those of branches that never began, or that waited for their next attempt.
     */
    private static List<AgentEvent> branchEnds(StoredEvaluation evaluation, EvaluationView view, Instant at) {
        StoredCampaign campaign = evaluation.campaign();
        List<Branch> branches = campaign.definition().branches();
        List<AgentEvent> events = new ArrayList<>();
        for (int i = 0; i < branches.size(); i++) {
            String loopId = campaign.loopId(0, i, branches.get(i).segment()).text();
            AgentName name = branches.get(i).agent().name();
            events.add(new AgentStart(evaluation.sessionId(), loopId, name.provider(), name.model(), at));
            events.add(view.outcomes().stream()
                    .filter(outcome -> outcome.loopId().equals(loopId))
                    .findFirst()
                    .map(outcome -> end(evaluation, outcome, at))
                    .orElseGet(() -> new AgentEnd(
                            evaluation.sessionId(),
                            loopId,
                            OutcomeStatus.CANCELLED,
                            List.of(),
                            Usage.NONE,
                            null,
                            NEVER_BEGUN,
                            at)));
        }
        return events;
    }

    /** Beginning and end of a custom strategy's loop; the strategy may be asked again, so that only the evaluation's end ends it. */
    private List<AgentEvent> strategyEnd(StoredEvaluation evaluation, Instant at) {
        StoredCampaign campaign = evaluation.campaign();
        String sessionId = evaluation.sessionId();
        Strategy.Custom custom = campaign.definition().strategy().plugin().orElse(null);
        if (custom == null) {
            return List.of();
        }
        String loopId = campaign.loopId(0, campaign.definition().branches().size(), custom.segment())
                .text();
        AgentName name = custom.agentName();
        OutcomeStatus status =
                campaign.state() == CampaignState.COMPLETED ? OutcomeStatus.COMPLETED : OutcomeStatus.CANCELLED;
        return List.of(
                new AgentStart(sessionId, loopId, name.provider(), name.model(), at),
                new AgentEnd(sessionId, loopId, status, List.of(), reads.strategyUsage(evaluation), null, null, at));
    }

    private static AgentEnd end(StoredEvaluation evaluation, BranchOutcome outcome, Instant at) {
        OutcomeError error = outcome.error();
        return new AgentEnd(
                evaluation.sessionId(),
                outcome.loopId(),
                outcome.status(),
                outcome.messages(),
                outcome.usage(),
                outcome.costUsd(),
                error == null ? null : new Failure(ErrorCode.valueOf(error.code()), error.message()),
                at);
    }
}
