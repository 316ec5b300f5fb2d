package dev.assay.campaigns.steering;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.agent.AgentName;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.steering.WaitingLoops;
import dev.assay.store.steering.WaitingLoops.WaitingLoop;
import dev.assay.store.suite.CaseRepository;
import dev.assay.store.turn.TurnRepository;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Ends the loops of a campaign that is cancelled while no worker runs them, because they wait for their next attempt. */
@Singleton
final class InterruptedLoops {

    private static final Failure CANCELLED =
            new Failure(ErrorCode.CANCELLED, "The campaign was cancelled between two attempts of the cell.");

    private final WaitingLoops waiting;
    private final TurnRepository turns;
    private final CaseRepository cases;

    InterruptedLoops(WaitingLoops waiting, TurnRepository turns, CaseRepository cases) {
        this.waiting = waiting;
        this.turns = turns;
        this.cases = cases;
    }

    /** Records their messages and usage as CANCELLED outcomes, since they were paid for. The caller holds the campaign's row. */
    void close(StoredCampaign campaign) {
        List<RecordOutcome> written = waiting.record(waiting.of(campaign.id()).stream()
                .map(loop -> cancelled(campaign, loop))
                .toList());
        if (campaign.isEvaluation() && !written.isEmpty()) {
            Instant now = waiting.now();
            waiting.append(
                    campaign.id(),
                    written.stream()
                            .flatMap(entry -> ends(campaign, entry.outcome(), now))
                            .toList());
        }
    }

    private static Stream<AgentEvent> ends(StoredCampaign campaign, Outcome outcome, Instant now) {
        String session = campaign.sessionId(outcome.ordinal());
        AgentName name = campaign.definition()
                .branches()
                .get(outcome.branchIndex())
                .agent()
                .name();
        return Stream.of(
                new AgentEvent.AgentStart(session, outcome.loopId(), name.provider(), name.model(), now),
                new AgentEvent.AgentEnd(
                        session,
                        outcome.loopId(),
                        outcome.status(),
                        outcome.answer().newMessages(),
                        outcome.usage(),
                        outcome.costUsd(),
                        outcome.failure(),
                        now));
    }

    private RecordOutcome cancelled(StoredCampaign campaign, WaitingLoop loop) {
        int caseIndex = campaign.grid().caseIndex(loop.ordinal());
        Case suiteCase = requireNonNull(
                cases.find(campaign.suiteId(), List.of(caseIndex)).get(caseIndex));
        Branch branch = campaign.definition().branches().get(loop.branchIndex());
        CellKey key = new CellKey(campaign.id(), loop.ordinal(), CellKind.BRANCH, loop.branchIndex());
        LoopSoFar said = LoopSoFar.recorded(branch.ask(suiteCase).suiteCase().prompts(), turns.find(key));
        Outcome outcome = new Outcome(
                loop.ordinal(),
                loop.branchIndex(),
                campaign.loopId(loop.ordinal(), loop.branchIndex(), branch.segment())
                        .text(),
                new Outcome.End(OutcomeStatus.CANCELLED, CANCELLED, loop.attempts()),
                new Outcome.Answer(
                        said.newMessages(),
                        suiteCase.context().size(),
                        Transcript.response(said.newMessages()),
                        said.provenance().requestedOf(branch.agent())),
                said.measured(),
                List.of());
        int trial = campaign.grid().trial(loop.ordinal());
        // No worker counts it, since it is not final.
        return new RecordOutcome(campaign.id(), campaign.epoch(), "", caseIndex, trial, outcome, null, said.warnings());
    }
}
