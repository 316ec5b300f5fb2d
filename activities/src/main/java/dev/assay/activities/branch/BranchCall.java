package dev.assay.activities.branch;

import com.fasterxml.jackson.databind.JsonNode;
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
import dev.assay.activities.call.ReusedAnswers;
import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.evaluator.AnswerEvaluators;
import dev.assay.activities.hypothesis.ChallengerRunner;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.draw.DrawRecord;
import dev.assay.domain.draw.RequestName;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.grading.Grading;
import dev.assay.domain.grading.LostAnswers;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.grading.Transforms;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.suite.Case;
import dev.assay.domain.tool.CaseTime;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.domain.trace.Traces;
import dev.assay.store.journal.JournalEntry;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.JournalEntry.SetAside;
import dev.assay.store.journal.WriteResult;
import dev.assay.store.reuse.ReusableAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An attempt at a branch's cell. An agent answers the case, checks read the answer, and one write records both. */
final class BranchCall implements PaidCall {

    private final BranchCalls with;
    private final CellAttempt attempt;
    private final AgentEvents listener;

    private final AskedBranch asked;
    private final LoopId loop;
    private final LoopEvents events;

    /** The name of what is asked; null: the answer cannot be reused, or it is not made yet. */
    private @Nullable RequestName request;

    /** The messages and usage of the attempt before it failed or was stopped; null: those on record. */
    private @Nullable LoopSoFar said;

    BranchCall(BranchCalls with, CellAttempt attempt, Case suiteCase, AgentEvents listener) {
        this.with = with;
        this.attempt = attempt;
        this.asked = new AskedBranch(with, attempt, suiteCase);
        this.listener = listener;
        this.loop = attempt.loop(attempt.slot(), asked.branch().segment());
        this.events = new LoopEvents(loop, listener);
    }

    @Override
    public Agent agent() {
        return asked.branch().agent();
    }

    @Override
    public Map<String, JsonNode> vars() {
        return asked.suiteCase().vars();
    }

    @Override
    public @Nullable Failure refusal() {
        return attempt.campaign().cancelledBranches().contains(attempt.slot()) ? PaidCells.BRANCH_CANCELLED : null;
    }

    @Override
    public boolean isNeeded() {
        return with.stops.isNeeded(attempt.campaign(), attempt.slot(), attempt.ordinal());
    }

    @Override
    public void begins() {
        events.agentStart(asked.branch().agent().name());
    }

    @Override
    public Runnable ask(ResolvedModel model, LedgeredClient client) throws InterruptedException {
        AgentResult result = run(model, client);
        return () -> record(
                result.status(),
                result.failure(),
                result.said(),
                checked(result.said()),
                isDecidedLater(result.status()));
    }

    @Override
    public void prepare() throws InterruptedException {
        asked.make();
        if (request == null) {
            request = with.reused.name(attempt, asked.branch(), asked.suiteCase());
        }
    }

    @Override
    public boolean mayReuse() {
        return ReusedAnswers.areWanted(attempt.campaign().definition(), ReusePolicy.Call.BRANCH)
                && asked.branch().isReusable();
    }

    @Override
    public boolean reuse() throws InterruptedException {
        return request != null && with.reused.use(attempt, request, this::take);
    }

    /** Records a stored answer as this cell's own. */
    private boolean take(ReusableAnswer stored) throws InterruptedException {
        LoopSoFar answer = new LoopSoFar(
                stored.answer().newMessages(),
                stored.measured(),
                stored.answer().finishReason(),
                stored.warnings(),
                stored.answer().provenance());
        List<CheckResult> checks = checked(answer);
        attempt.cell().recordBegins();
        DrawRecord draw = new DrawRecord(request, stored.origin(), stored.delivered());
        Outcome outcome = outcome(new Outcome.End(OutcomeStatus.COMPLETED, null, attempt.number() - 1), answer, checks);
        RecordOutcome entry = entry(outcome, answer, draw);
        WriteResult written = isDecidedLater(OutcomeStatus.COMPLETED)
                ? with.journal.setAside(new SetAside(entry))
                : with.journal.record(entry, List.of());
        if (written == WriteResult.TAKEN) {
            attempt.cell().asksAgain();
            return false;
        }
        return true;
    }

    /**
     * The request that its model would be sent, had it no turns before.
     *
     * @throws CallFailedException when it cannot be made
     */
    ModelRequest request(ResolvedModel model) throws InterruptedException {
        prepare();
        AtomicReference<@Nullable ModelRequest> made = new AtomicReference<>();
        ModelClient client = request -> {
            made.set(request);
            throw new ModelException(ErrorCode.CANCELLED, "The request is sent in a batch", null, null);
        };
        try {
            var _ = alone(model, client);
        } catch (AgentLoopException e) {
            if (made.get() == null) {
                throw e;
            }
        }
        return Objects.requireNonNull(made.get(), "A loop asks once at least");
    }

    /** Whether a stored answer stands in for the one that it would be asked for. */
    boolean isOnRecord() throws InterruptedException {
        return mayReuse() && request != null && with.reused.isOnRecord(attempt, request);
    }

    /** What closes the cell, by an answer that a batch brought. */
    JournalEntry answered(ResolvedModel model, ModelReply reply, Delivered delivered) throws InterruptedException {
        prepare();
        AgentResult result;
        try {
            result = alone(model, _ -> reply);
        } catch (AgentLoopException e) {
            said = e.soFar();
            return failed(e.failure(), delivered);
        }
        Outcome outcome = outcome(
                new Outcome.End(result.status(), result.failure(), attempt.counted(result.status())),
                result.said(),
                checked(result.said()));
        RecordOutcome entry = entry(outcome, result.said(), new DrawRecord(request, null, delivered));
        return isDecidedLater(result.status()) ? new SetAside(entry) : entry;
    }

    /** What closes the cell with a failure of its request, as a live call has it. */
    RecordOutcome failed(ResolvedModel model, Failure failure, Delivered delivered) throws InterruptedException {
        try {
            prepare();
            var _ = alone(model, _ -> {
                throw new ModelException(failure.code(), failure.message(), null, null);
            });
        } catch (AgentLoopException e) {
            said = e.soFar();
        }
        return failed(failure, delivered);
    }

    private RecordOutcome failed(Failure failure, Delivered delivered) {
        LoopSoFar answer = said == null ? LoopSoFar.NOTHING : said;
        Outcome outcome = outcome(
                new Outcome.End(OutcomeStatus.MODEL_ERROR, failure, attempt.counted(OutcomeStatus.MODEL_ERROR)),
                answer,
                List.of());
        return entry(outcome, answer, new DrawRecord(request, null, delivered));
    }

    /** Runs the loop of a branch without tools, whose one request {@code client} answers. */
    private AgentResult alone(ResolvedModel model, ModelClient client) throws InterruptedException {
        RunnableKind<Agent> kind = with.kinds.of(asked.branch().agent());
        return with.loops
                .of(kind.compacts())
                .run(
                        task(model),
                        new AgentContext(
                                client,
                                () -> 0,
                                listener,
                                LoopRecord.NONE,
                                () -> CaseTime.of(
                                        asked.suiteCase(), attempt.campaign().createdAt())));
    }

    private AgentResult run(ResolvedModel model, LedgeredClient client) throws InterruptedException {
        try {
            return runner(client).run(task(model), context(client));
        } catch (AgentLoopException e) {
            said = e.soFar();
            throw e;
        } catch (InterruptedLoopException e) {
            said = e.soFar();
            throw e;
        }
    }

    private AgentRunner runner(LedgeredClient client) {
        RunnableKind<Agent> kind = with.kinds.of(asked.branch().agent());
        RunnableKind.Running running = new RunnableKind.Running(attempt, asked.suiteCase(), client);
        AgentRunner runner = kind.runner(asked.branch().agent(), running, with.loops.of(kind.compacts()));
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
                asked.branch(),
                asked.suiteCase().context(),
                asked.suiteCase().prompts(),
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
                record(client),
                () -> CaseTime.of(asked.suiteCase(), attempt.campaign().createdAt()));
    }

    private LoopRecord record(LedgeredClient client) throws InterruptedException {
        if (!hasTurns()) {
            return LoopRecord.NONE;
        }
        if (!asked.branch().tools().isEmpty()) {
            // Recorded before a server of tools answers: its answer may kill this worker.
            client.begin();
        }
        return new RecordedLoop(attempt.cell(), with.worker.id(), with.journal, recordedTurns());
    }

    /**
     * Whether the loop records turns. A loop without tools has one turn, whose record is the outcome; a challenger may be asked
     * again.
     */
    private boolean hasTurns() {
        return !asked.branch().tools().isEmpty() || attempt.campaign().scoresHypotheses();
    }

    private List<RecordedTurn> recordedTurns() {
        return hasTurns() ? with.turns.find(attempt.cell().key()) : List.of();
    }

    private List<CheckResult> checked(LoopSoFar answer) {
        List<CheckResult> lost = LostAnswers.results(asked.branch(), asked.suiteCase());
        if (lost != null) {
            return lost;
        }
        List<CheckResult> results = with.checks.evaluate(
                attempt.queue(),
                asked.suiteCase().checks().all(),
                new CheckInput(
                        Transcript.response(answer.newMessages()),
                        answer.newMessages(),
                        answer.finishReason(),
                        answer.measured(),
                        evidence(answer),
                        Transforms.offered(asked.branch())));
        return new AnswerEvaluators(with.evaluators, attempt.campaign(), asked.branch(), asked.suiteCase())
                .named(results);
    }

    private static Evidence evidence(LoopSoFar answer) {
        ProgramRun program = answer.program();
        return program == null ? new Evidence(null, Traces.of(answer.newMessages()), null, null) : program.evidence();
    }

    @Override
    public void repeats(Failure failure, int maxAttempts, Duration delay) {
        events.repeats(attempt.number(), failure, maxAttempts, delay);
    }

    @Override
    public void close(OutcomeStatus status, Failure failure) {
        record(status, failure, said == null ? recorded() : said, List.of(), false);
    }

    /** The recorded part of the loop. Where there is a turn, an earlier attempt has filled the template within its bounds. */
    private LoopSoFar recorded() {
        List<RecordedTurn> turns = recordedTurns();
        Case suiteCase = asked.isMade() || turns.isEmpty()
                ? asked.suiteCase()
                : asked.branch().ask(asked.suiteCase()).suiteCase();
        return LoopSoFar.recorded(suiteCase.prompts(), turns);
    }

    @Override
    public void forget() {
        said = LoopSoFar.NOTHING;
    }

    /** @param isDecidedLater whether it waits for models or own code */
    private void record(
            OutcomeStatus status,
            @Nullable Failure failure,
            LoopSoFar answer,
            List<CheckResult> checks,
            boolean isDecidedLater) {
        Outcome outcome = outcome(new Outcome.End(status, failure, attempt.counted(status)), answer, checks);
        RecordOutcome entry = entry(outcome, answer, new DrawRecord(request, null));
        if (isDecidedLater) {
            var _ = with.journal.setAside(new SetAside(entry));
            return;
        }
        var _ = with.journal.record(
                entry,
                events.ended(asked.branch().agent().name(), status, answer.newMessages(), answer.measured(), failure));
    }

    private Outcome outcome(Outcome.End end, LoopSoFar answer, List<CheckResult> checks) {
        return new Outcome(
                attempt.ordinal(),
                attempt.slot(),
                loop.text(),
                end,
                new Outcome.Answer(
                        answer.newMessages(),
                        asked.suiteCase().context().size(),
                        Transcript.response(answer.newMessages()),
                        answer.provenance().requestedOf(asked.branch().agent()),
                        answer.program(),
                        answer.finishReason()),
                answer.measured(),
                checks);
    }

    private RecordOutcome entry(Outcome outcome, LoopSoFar answer, DrawRecord draw) {
        return new RecordOutcome(
                attempt.campaign().id(),
                attempt.cell().epoch(),
                with.worker.id(),
                attempt.campaign().grid().caseIndex(attempt.ordinal()),
                attempt.trial(),
                outcome,
                TrialVerdict.of(outcome, asked.suiteCase().checks().threshold()).passed(),
                answer.warnings(),
                draw);
    }

    /** Whether models or own code decide some of its checks, or own code makes what they see. An error never waits for that. */
    private boolean isDecidedLater(OutcomeStatus status) {
        return status.isAnswer()
                && !LostAnswers.areOf(asked.branch())
                && !(Grading.rules(asked.suiteCase().checks().all()).isEmpty()
                        && OwnCode.needs(asked.branch(), asked.suiteCase()).isEmpty());
    }
}
