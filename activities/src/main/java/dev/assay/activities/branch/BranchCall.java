package dev.assay.activities.branch;

import dev.assay.activities.agent.AgentContext;
import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.AgentLoopException;
import dev.assay.activities.agent.AgentResult;
import dev.assay.activities.agent.AgentRunner;
import dev.assay.activities.agent.AgentTask;
import dev.assay.activities.agent.InterruptedLoopException;
import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.agent.LoopRecord;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.LedgeredClient;
import dev.assay.activities.call.PaidCall;
import dev.assay.activities.call.PaidCells;
import dev.assay.activities.call.ResolvedModel;
import dev.assay.activities.hypothesis.ChallengerRunner;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.CheckInput;
import dev.assay.domain.check.CheckResult;
import dev.assay.domain.error.Failure;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.suite.Case;
import dev.assay.domain.tool.CaseTime;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt at a branch's cell: an agent answers the case, checks read what it came to, one write records both. */
final class BranchCall implements PaidCall {

    private final BranchCalls with;
    private final CellAttempt attempt;
    private final Case suiteCase;
    private final AgentEvents listener;
    private final Branch branch;
    private final LoopId loop;
    private final LoopEvents events;

    /** What the attempt said before it failed or was stopped; null: what is on record. */
    private @Nullable LoopSoFar said;

    BranchCall(BranchCalls with, CellAttempt attempt, Case suiteCase, AgentEvents listener) {
        this.with = with;
        this.attempt = attempt;
        this.suiteCase = suiteCase;
        this.listener = listener;
        this.branch = attempt.campaign().definition().branches().get(attempt.slot());
        this.loop = attempt.loop(attempt.slot(), branch.segment());
        this.events = new LoopEvents(loop, listener);
    }

    @Override
    public Agent agent() {
        return branch.agent();
    }

    @Override
    public @Nullable Failure refusal() {
        return attempt.campaign().cancelledBranches().contains(attempt.slot()) ? PaidCells.BRANCH_CANCELLED : null;
    }

    @Override
    public void begins() {
        events.agentStart(branch.agent().name());
    }

    @Override
    public Runnable ask(ResolvedModel model, LedgeredClient client) throws InterruptedException {
        AgentResult result = run(model, client);
        return () -> record(result.status(), result.failure(), result.said(), checked(result.said()));
    }

    private AgentResult run(ResolvedModel model, LedgeredClient client) throws InterruptedException {
        try {
            return runner().run(task(model), context(client));
        } catch (AgentLoopException e) {
            said = e.soFar();
            throw e;
        } catch (InterruptedLoopException e) {
            said = e.soFar();
            throw e;
        }
    }

    private AgentRunner runner() {
        AgentRunner runner = with.runners.of(branch.agent());
        if (!attempt.campaign().scoresHypotheses()) {
            return runner;
        }
        int batchIndex = attempt.campaign().grid().caseIndex(attempt.ordinal());
        return new ChallengerRunner(
                runner, with.hypotheses.question(attempt.campaign().id(), batchIndex), batchIndex);
    }

    private AgentTask task(ResolvedModel model) {
        return new AgentTask(
                loop,
                branch,
                suiteCase.context(),
                suiteCase.prompts(),
                attempt.trial(),
                attempt.number(),
                attempt.campaign().definition().limits().timeout(),
                model.maxOutputTokens());
    }

    private AgentContext context(LedgeredClient client) throws InterruptedException {
        return new AgentContext(
                client,
                client.nanoTime(),
                listener,
                record(),
                () -> CaseTime.of(suiteCase, attempt.campaign().createdAt()));
    }

    private LoopRecord record() throws InterruptedException {
        if (!hasTurns()) {
            return LoopRecord.NONE;
        }
        if (!branch.tools().isEmpty()) {
            // Before a server of tools says anything: it may be what ends this worker.
            with.journal.begin(new Begin(attempt.cell().claim(with.worker.id())));
            attempt.cell().begun();
        }
        return new RecordedLoop(attempt.cell(), with.worker.id(), with.journal, recordedTurns());
    }

    /** A loop without tools has one turn, of which the outcome is the record; a challenger may be asked again. */
    private boolean hasTurns() {
        return !branch.tools().isEmpty() || attempt.campaign().scoresHypotheses();
    }

    private List<RecordedTurn> recordedTurns() {
        return hasTurns() ? with.turns.find(attempt.cell().key()) : List.of();
    }

    private List<CheckResult> checked(LoopSoFar answer) {
        return with.checks.evaluate(
                suiteCase.checks(),
                new CheckInput(
                        Transcript.response(answer.newMessages()),
                        answer.newMessages(),
                        answer.finishReason(),
                        answer.measured()));
    }

    @Override
    public void repeats(Failure failure, int maxAttempts, Duration delay) {
        events.repeats(attempt.number(), failure, maxAttempts, delay);
    }

    @Override
    public void close(OutcomeStatus status, Failure failure) {
        LoopSoFar soFar = said == null ? LoopSoFar.recorded(suiteCase.prompts(), recordedTurns()) : said;
        record(status, failure, soFar, List.of());
    }

    @Override
    public void forget() {
        said = LoopSoFar.NOTHING;
    }

    private void record(OutcomeStatus status, @Nullable Failure failure, LoopSoFar answer, List<CheckResult> checks) {
        Outcome outcome = new Outcome(
                attempt.ordinal(),
                attempt.slot(),
                loop.text(),
                new Outcome.End(status, failure, attempt.number()),
                new Outcome.Answer(
                        answer.newMessages(),
                        suiteCase.context().size(),
                        Transcript.response(answer.newMessages()),
                        answer.provenance().requestedOf(branch.agent())),
                answer.measured(),
                checks);
        with.journal.record(
                new RecordOutcome(
                        attempt.campaign().id(),
                        attempt.cell().epoch(),
                        with.worker.id(),
                        attempt.campaign().grid().caseIndex(attempt.ordinal()),
                        attempt.trial(),
                        outcome,
                        TrialVerdict.of(outcome).passed(),
                        answer.warnings()),
                events.ended(branch.agent().name(), status, answer.newMessages(), answer.measured(), failure));
    }
}
