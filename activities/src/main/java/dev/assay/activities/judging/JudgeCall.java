package dev.assay.activities.judging;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.LedgeredClient;
import dev.assay.activities.call.PaidCall;
import dev.assay.activities.call.ResolvedModel;
import dev.assay.activities.call.ReusedAnswers;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.draw.DrawRecord;
import dev.assay.domain.draw.RequestName;
import dev.assay.domain.draw.ReusePolicy.Call;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.journal.JournalEntry.RecordJudgeCall;
import dev.assay.store.reuse.ReusableCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An attempt at the cell of a judge, of a grader or of a custom strategy's ask. It sends one request; one write records the reply. */
final class JudgeCall implements PaidCall {

    private final JudgeCalls with;
    private final CellAttempt attempt;
    private final Question question;
    private final LoopId loop;
    private final LoopEvents events;

    /** The name of what is asked; null: the call cannot be reused, or nothing was prepared yet. */
    private @Nullable RequestName request;

    /**
     * The question to an agent.
     *
     * @param model the name under which a custom strategy asks; null: a judge or a grader is asked
     * @param systemPrompt what the agent is told; null: nothing
     * @param stored the same as it is recorded
     * @param shown branch indexes in the order in which their responses are shown; empty for a strategy's ask and for a grader
     * @param compares whether embeddings are asked for instead of an answer
     * @param evaluator the hash of who is asked, once it was asked; null: a strategy's plugin decides
     */
    record Question(
            Agent agent,
            String segment,
            @Nullable String model,
            @Nullable String systemPrompt,
            List<Message> messages,
            JudgePreview stored,
            List<Integer> shown,
            boolean compares,
            @Nullable Supplier<String> evaluator) {

        private static final Compaction NOTHING_CUT = new Compaction(null, 0, 0, 0, 0, 0, true);

        static Question ofJudge(Judge judge, JudgeQuestion question, JudgePreview reads, Supplier<String> evaluator) {
            List<Message> messages = List.of(Message.user(reads.prompt()));
            return new Question(
                    judge.agent(),
                    judge.segment(),
                    null,
                    reads.systemPrompt(),
                    messages,
                    reads,
                    question.shown(),
                    false,
                    evaluator);
        }

        static Question ofStrategy(StrategyAsk ask) {
            JudgePreview stored = new JudgePreview("", ask.text(), NOTHING_CUT, null);
            return new Question(
                    ask.agent(),
                    ask.agent().segment(),
                    ask.model(),
                    null,
                    ask.messages(),
                    stored,
                    List.of(),
                    false,
                    null);
        }

        /** @param compares whether it reads texts to be compared, and no words of its own */
        static Question ofGrader(Agent grader, JudgePreview reads, boolean compares, Supplier<String> evaluator) {
            List<Message> messages = List.of(Message.user(reads.prompt()));
            String systemPrompt = compares ? null : reads.systemPrompt();
            return new Question(
                    grader, grader.segment(), null, systemPrompt, messages, reads, List.of(), compares, evaluator);
        }

        /** Whether a stored call may stand in for it. A strategy's asks depend on what it was told before. */
        private boolean isReusable() {
            return model == null;
        }

        /** Whether the strategy has a loop of its own before those of its asks. */
        private int first() {
            return model == null ? 0 : 1;
        }
    }

    JudgeCall(JudgeCalls with, CellAttempt attempt, Question question, AgentEvents listener) {
        this.with = with;
        this.attempt = attempt;
        this.question = question;
        int branches = attempt.campaign().definition().branches().size();
        this.loop = attempt.loop(branches + question.first() + attempt.slot(), question.segment());
        this.events = new LoopEvents(loop, listener);
    }

    @Override
    public Agent agent() {
        return question.agent();
    }

    @Override
    public void prepare() {
        if (request == null && question.isReusable() && !attempt.campaign().isUrgent()) {
            String key = with.reused.key(
                    question.agent(), question.systemPrompt(), question.messages(), question.compares());
            request = key == null ? null : new RequestName(key, 0);
        }
    }

    @Override
    public boolean mayReuse() {
        Call call = attempt.cell().key().kind() == CellKind.GRADE ? Call.GRADE : Call.JUDGE;
        return question.isReusable()
                && ReusedAnswers.areWanted(attempt.campaign().definition(), call);
    }

    @Override
    public boolean reuse() {
        ReusableCall stored = request == null
                ? null
                : with.reused.call(attempt, request.key()).orElse(null);
        if (stored == null) {
            return false;
        }
        attempt.cell().recordBegins();
        FinishedJudgeCall call = new FinishedJudgeCall(
                attempt.ordinal(),
                null,
                loop.text(),
                OutcomeStatus.COMPLETED,
                question.stored(),
                new JudgeAnswer(attempt.slot(), question.shown(), stored.reply(), null, true),
                stored.measured(),
                stored.provenance().requestedOf(question.agent()),
                attempt.number() - 1,
                evaluator());
        with.journal.record(new RecordJudgeCall(
                attempt.campaign().id(),
                attempt.cell().epoch(),
                with.worker.id(),
                call,
                new DrawRecord(request, stored.origin(), stored.delivered())));
        return true;
    }

    @Override
    public void begins() {
        events.agentStart(question.agent().name());
    }

    @Override
    public Runnable ask(ResolvedModel model, LedgeredClient client) throws InterruptedException {
        String warning = question.stored().warning();
        if (warning != null) {
            events.progress(warning);
        }
        events.turnStart(1);
        question.messages().forEach(events::message);
        ModelReply reply = events.ask(client, request(model));
        reply.warnings().forEach(events::progress);
        events.turnEnd(1, reply, List.of());
        return () -> record(OutcomeStatus.COMPLETED, reply, null);
    }

    /** The request that is sent. */
    ModelRequest request(ResolvedModel model) {
        ModelRequest request = new ModelRequest(
                question.systemPrompt(),
                question.messages(),
                attempt.trial(),
                attempt.number(),
                model.maxOutputTokens(),
                attempt.campaign().definition().limits().timeout());
        return question.compares() ? request.comparing() : request;
    }

    /** Whether a stored reply stands in for the one that it would be asked for. */
    boolean isOnRecord() {
        prepare();
        return mayReuse()
                && request != null
                && with.reused.call(attempt, request.key()).isPresent();
    }

    /** What closes the cell, by a reply that a batch brought. */
    RecordJudgeCall answered(ModelReply reply, Delivered delivered) {
        prepare();
        return entry(OutcomeStatus.COMPLETED, reply, null, delivered);
    }

    /** What closes the cell with a failure of its request, as a live call has it. */
    RecordJudgeCall failed(Failure failure, Delivered delivered) {
        prepare();
        return entry(OutcomeStatus.MODEL_ERROR, null, failure, delivered);
    }

    @Override
    public void repeats(Failure failure, int maxAttempts, Duration delay) {
        events.repeats(attempt.number(), failure, maxAttempts, delay);
    }

    @Override
    public void close(OutcomeStatus status, Failure failure) {
        record(status, null, failure);
    }

    private void record(OutcomeStatus status, @Nullable ModelReply reply, @Nullable Failure failure) {
        Measured measured = measured(reply);
        List<Message> messages = reply == null
                ? List.of()
                : Stream.concat(question.messages().stream(), Stream.of(reply.message()))
                        .toList();
        with.journal.record(
                entry(status, reply, failure, null),
                events.ended(question.agent().name(), status, messages, measured, failure));
    }

    private RecordJudgeCall entry(
            OutcomeStatus status,
            @Nullable ModelReply reply,
            @Nullable Failure failure,
            @Nullable Delivered delivered) {
        return new RecordJudgeCall(
                attempt.campaign().id(),
                attempt.cell().epoch(),
                with.worker.id(),
                finished(status, reply, failure),
                new DrawRecord(request, null, delivered));
    }

    private FinishedJudgeCall finished(OutcomeStatus status, @Nullable ModelReply reply, @Nullable Failure failure) {
        JudgePreview stored = question.stored();
        return new FinishedJudgeCall(
                attempt.ordinal(),
                question.model(),
                loop.text(),
                status,
                new JudgePreview(stored.systemPrompt(), stored.prompt(), stored.compaction(), warning(reply)),
                new JudgeAnswer(
                        attempt.slot(),
                        question.shown(),
                        reply == null ? null : reply.message().text(),
                        failure,
                        status.isFinal()),
                measured(reply),
                (reply == null ? Provenance.NONE : reply.provenance()).requestedOf(question.agent()),
                attempt.counted(status),
                evaluator());
    }

    private static Measured measured(@Nullable ModelReply reply) {
        return reply == null ? Measured.NONE : reply.measured().ofAnswer();
    }

    private @Nullable String evaluator() {
        return question.evaluator() == null ? null : question.evaluator().get();
    }

    /** Warnings for users about the input and reply of the judge; null: none. */
    private @Nullable String warning(@Nullable ModelReply reply) {
        List<String> warnings = new ArrayList<>();
        if (question.stored().warning() != null) {
            warnings.add(question.stored().warning());
        }
        if (reply != null) {
            warnings.addAll(reply.warnings());
        }
        return warnings.isEmpty() ? null : String.join(" ", warnings);
    }
}
