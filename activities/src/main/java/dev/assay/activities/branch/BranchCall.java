package dev.assay.activities.branch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.evaluator.AnswerEvaluators;
import dev.assay.activities.hypothesis.ChallengerRunner;
import dev.assay.activities.model.ModelException;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.PromptCode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.grading.CodePrompts;
import dev.assay.domain.grading.Grading;
import dev.assay.domain.grading.LostAnswers;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.grading.Transforms;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.suite.Case;
import dev.assay.domain.template.Template;
import dev.assay.domain.tool.CaseTime;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.domain.trace.Traces;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.JournalEntry.SetAside;
import dev.assay.work.compute.Answered;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.FillTask;
import dev.assay.work.compute.Stop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An attempt at a branch's cell. An agent answers the case, checks read the answer, and one write records both. */
final class BranchCall implements PaidCall {

    private final BranchCalls with;
    private final CellAttempt attempt;
    private final AgentEvents listener;

    /** The branch, with its template filled at the first request. */
    private Branch branch;

    private Case suiteCase;
    private boolean isFilled;

    private final LoopId loop;
    private final LoopEvents events;

    /** The messages and usage of the attempt before it failed or was stopped; null: those on record. */
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
    public Map<String, JsonNode> vars() {
        return suiteCase.vars();
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
        events.agentStart(branch.agent().name());
    }

    @Override
    public Runnable ask(ResolvedModel model, LedgeredClient client) throws InterruptedException {
        fill();
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
        PromptCode code = branch.wording().promptCode();
        if (isFilled || code == null) {
            return;
        }
        with.placing.leave(attempt, code.script().need());
        CodeReply reply = with.processes
                .run(
                        attempt.campaign().id(),
                        attempt.campaign().definition().code(),
                        CodePrompts.request(code, branch, suiteCase))
                .reply();
        CodePrompts.Made made = CodePrompts.read(reply);
        if (made instanceof CodePrompts.Made.Text(String template, ObjectNode config)) {
            made = CodePrompts.ofText(filledText(template), config);
        }
        switch (made) {
            case CodePrompts.Made.Final(Template.Filled filled, ObjectNode config) -> {
                if (config != null) {
                    branch = branch.with(merged(config));
                }
                ask(filled);
            }
            case CodePrompts.Made.Nothing(String why) -> throw codeFailed(why);
            case CodePrompts.Made.Text _ -> throw new IllegalStateException("A filled text is final");
        }
    }

    private String filledText(String text) throws InterruptedException {
        try {
            return filled(Template.text(text)).prompts().getFirst().text();
        } catch (AssayException | ModelException e) {
            throw codeFailed("The prompt that the code returned cannot be filled: " + e.getMessage());
        }
    }

    private Agent merged(JsonNode config) {
        try {
            return AgentReader.withParameters(branch.agent(), config);
        } catch (AssayException e) {
            throw codeFailed("The `config` that the code of the prompt returned cannot be used: " + e.getMessage());
        }
    }

    private static ModelException codeFailed(String why) {
        return new ModelException(ErrorCode.CODE_FAILED, why, null, null);
    }

    /** Fills the template. */
    private void fill() throws InterruptedException {
        Template template = branch.wording().template();
        if (!isFilled && template != null) {
            ask(filled(template));
        }
    }

    private void ask(Template.Filled filled) {
        Branch.Asked asked = branch.asked(filled, suiteCase);
        branch = asked.branch();
        suiteCase = asked.suiteCase();
        isFilled = true;
    }

    /** The template filled: in place where it has nothing but places, else in a compute process. */
    private Template.Filled filled(Template template) throws InterruptedException {
        Template.Filled filled = template.fillPlaces(suiteCase, branch.wording().templateVars());
        if (filled != null) {
            return filled;
        }
        FillTask task = new FillTask(
                template.texts(), Template.vars(suiteCase), branch.wording().templateVars());
        List<String> texts = new ArrayList<>();
        for (Computed<Answered> computed : with.computing.run(attempt.queue(), task)) {
            texts.add(filled(computed));
        }
        return template.filled(texts);
    }

    private static String filled(Computed<Answered> computed) {
        return switch (computed) {
            case Computed.Done<Answered>(Answered answer) when answer.text() != null -> answer.text();
            case Computed.Done<Answered>(Answered answer) -> throw unfillable(String.valueOf(answer.problem()));
            case Computed.Stopped<Answered>(Stop stop) ->
                throw unfillable("The template cannot be filled: it " + stop.deed() + ".");
        };
    }

    private static ModelException unfillable(String problem) {
        return new ModelException(ErrorCode.INVALID_INPUT, problem, null, null);
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
        RunnableKind<Agent> kind = with.kinds.of(branch.agent());
        RunnableKind.Running running = new RunnableKind.Running(attempt, suiteCase, client);
        AgentRunner runner = kind.runner(branch.agent(), running, with.loops.of(kind.compacts()));
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
                record(client),
                () -> CaseTime.of(suiteCase, attempt.campaign().createdAt()));
    }

    private LoopRecord record(LedgeredClient client) throws InterruptedException {
        if (!hasTurns()) {
            return LoopRecord.NONE;
        }
        if (!branch.tools().isEmpty()) {
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
        return !branch.tools().isEmpty() || attempt.campaign().scoresHypotheses();
    }

    private List<RecordedTurn> recordedTurns() {
        return hasTurns() ? with.turns.find(attempt.cell().key()) : List.of();
    }

    private List<CheckResult> checked(LoopSoFar answer) {
        List<CheckResult> lost = LostAnswers.results(branch, suiteCase);
        if (lost != null) {
            return lost;
        }
        List<CheckResult> results = with.checks.evaluate(
                attempt.queue(),
                suiteCase.checks().all(),
                new CheckInput(
                        Transcript.response(answer.newMessages()),
                        answer.newMessages(),
                        answer.finishReason(),
                        answer.measured(),
                        evidence(answer),
                        Transforms.offered(branch)));
        return new AnswerEvaluators(with.evaluators, attempt.campaign(), branch, suiteCase).named(results);
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
        Case asked =
                isFilled || turns.isEmpty() ? suiteCase : branch.ask(suiteCase).suiteCase();
        return LoopSoFar.recorded(asked.prompts(), turns);
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
        Outcome outcome = new Outcome(
                attempt.ordinal(),
                attempt.slot(),
                loop.text(),
                new Outcome.End(status, failure, attempt.counted(status)),
                new Outcome.Answer(
                        answer.newMessages(),
                        suiteCase.context().size(),
                        Transcript.response(answer.newMessages()),
                        answer.provenance().requestedOf(branch.agent()),
                        answer.program(),
                        answer.finishReason()),
                answer.measured(),
                checks);
        RecordOutcome entry = new RecordOutcome(
                attempt.campaign().id(),
                attempt.cell().epoch(),
                with.worker.id(),
                attempt.campaign().grid().caseIndex(attempt.ordinal()),
                attempt.trial(),
                outcome,
                TrialVerdict.of(outcome, suiteCase.checks().threshold()).passed(),
                answer.warnings());
        if (isDecidedLater) {
            with.journal.setAside(new SetAside(entry));
            return;
        }
        with.journal.record(
                entry, events.ended(branch.agent().name(), status, answer.newMessages(), answer.measured(), failure));
    }

    /** Whether models or own code decide some of its checks, or own code makes what they see. An error never waits for that. */
    private boolean isDecidedLater(OutcomeStatus status) {
        return status.isAnswer()
                && !LostAnswers.areOf(branch)
                && !(Grading.rules(suiteCase.checks().all()).isEmpty()
                        && OwnCode.needs(branch, suiteCase).isEmpty());
    }
}
