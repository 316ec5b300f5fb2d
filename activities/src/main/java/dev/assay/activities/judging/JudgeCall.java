package dev.assay.activities.judging;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.LedgeredClient;
import dev.assay.activities.call.PaidCall;
import dev.assay.activities.call.ResolvedModel;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.journal.JournalEntry.RecordJudgeCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt at a judge's cell: one request, of which one write records the reply. */
final class JudgeCall implements PaidCall {

    private final JudgeCalls with;
    private final CellAttempt attempt;
    private final Agent judge;
    private final JudgeQuestion question;
    private final JudgePreview reads;
    private final LoopId loop;
    private final LoopEvents events;

    /**
     * @param judge who is asked
     * @param question what is asked
     * @param reads what the judge reads
     */
    JudgeCall(
            JudgeCalls with,
            CellAttempt attempt,
            Agent judge,
            JudgeQuestion question,
            JudgePreview reads,
            AgentEvents listener) {
        this.with = with;
        this.attempt = attempt;
        this.judge = judge;
        this.question = question;
        this.reads = reads;
        int branches = attempt.campaign().definition().branches().size();
        this.loop = attempt.loop(branches + question.slot(), judge.segment());
        this.events = new LoopEvents(loop, listener);
    }

    @Override
    public Agent agent() {
        return judge;
    }

    @Override
    public void begins() {
        events.agentStart(judge.name());
    }

    @Override
    public Runnable ask(ResolvedModel model, LedgeredClient client) throws InterruptedException {
        String warning = reads.warning();
        if (warning != null) {
            events.progress(warning);
        }
        events.turnStart(1);
        events.message(prompt());
        ModelReply reply = events.ask(
                client,
                new ModelRequest(
                        reads.systemPrompt(),
                        List.of(prompt()),
                        attempt.trial(),
                        attempt.number(),
                        model.maxOutputTokens(),
                        attempt.campaign().definition().limits().timeout()));
        reply.warnings().forEach(events::progress);
        events.turnEnd(1, reply, List.of());
        return () -> record(OutcomeStatus.COMPLETED, reply, null);
    }

    @Override
    public void repeats(Failure failure, int maxAttempts, Duration delay) {
        events.repeats(attempt.number(), failure, maxAttempts, delay);
    }

    @Override
    public void close(OutcomeStatus status, Failure failure) {
        record(status, null, failure);
    }

    private Message prompt() {
        return Message.user(reads.prompt());
    }

    private void record(OutcomeStatus status, @Nullable ModelReply reply, @Nullable Failure failure) {
        Measured measured = reply == null ? Measured.NONE : reply.measured();
        List<Message> messages = reply == null ? List.of() : List.of(prompt(), reply.message());
        with.journal.record(
                new RecordJudgeCall(
                        attempt.campaign().id(),
                        attempt.cell().epoch(),
                        with.worker.id(),
                        finished(status, reply, measured, failure)),
                events.ended(judge.name(), status, messages, measured, failure));
    }

    private FinishedJudgeCall finished(
            OutcomeStatus status, @Nullable ModelReply reply, Measured measured, @Nullable Failure failure) {
        return new FinishedJudgeCall(
                attempt.ordinal(),
                loop.text(),
                status,
                new JudgePreview(reads.systemPrompt(), reads.prompt(), reads.compaction(), warning(reply)),
                new JudgeAnswer(
                        question.slot(),
                        question.shown(),
                        reply == null ? null : reply.message().text(),
                        failure,
                        status.isFinal()),
                measured,
                attempt.number());
    }

    /** What users should know of what the judge read and said; null: nothing. */
    private @Nullable String warning(@Nullable ModelReply reply) {
        List<String> warnings = new ArrayList<>();
        if (reads.warning() != null) {
            warnings.add(reads.warning());
        }
        if (reply != null) {
            warnings.addAll(reply.warnings());
        }
        return warnings.isEmpty() ? null : String.join(" ", warnings);
    }
}
