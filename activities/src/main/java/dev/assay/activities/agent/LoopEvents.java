package dev.assay.activities.agent;

import dev.assay.activities.model.ModelReply;
import dev.assay.domain.agent.AgentName;
import dev.assay.domain.error.Failure;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tells what happens in one loop. Costs nothing when nobody listens. */
public final class LoopEvents {

    private final LoopId loop;
    private final AgentEvents sink;
    private final InstantSource clock;

    public LoopEvents(LoopId loop, AgentEvents sink, InstantSource clock) {
        this.loop = loop;
        this.sink = sink;
        this.clock = clock;
    }

    /** Events of {@code loop} by the system's clock. */
    public LoopEvents(LoopId loop, AgentEvents sink) {
        this(loop, sink, InstantSource.system());
    }

    /** One at a time: tools of a turn run beside each other. */
    private synchronized void emit(Function<Instant, AgentEvent> event) {
        if (!sink.equals(AgentEvents.NONE)) {
            sink.emit(event.apply(clock.instant()));
        }
    }

    /** The loop begins: its first attempt does. */
    public void agentStart(AgentName name) {
        emit(now -> new AgentEvent.AgentStart(loop.sessionId(), loop.text(), name.provider(), name.model(), now));
    }

    /** The loop is over for good. */
    public void agentEnd(OutcomeStatus status, List<Message> messages, Measured measured, @Nullable Failure failure) {
        emit(now -> new AgentEvent.AgentEnd(
                loop.sessionId(), loop.text(), status, messages, measured.usage(), measured.costUsd(), failure, now));
    }

    /** The model is asked next. */
    public void turnStart(int turn) {
        emit(now -> new AgentEvent.TurnStart(loop.sessionId(), loop.text(), turn, now));
    }

    /** The model answered, and the tools that it called did. */
    public void turnEnd(int turn, ModelReply reply, List<Message> toolResults) {
        emit(now -> new AgentEvent.TurnEnd(
                loop.sessionId(),
                loop.text(),
                turn,
                reply.message(),
                toolResults,
                reply.measured().usage(),
                reply.measured().costUsd(),
                reply.measured().latency().toMillis(),
                now));
    }

    /** A message that is whole at once: a prompt or a tool's result. */
    public void message(Message message) {
        emit(now -> new AgentEvent.MessageStart(loop.sessionId(), loop.text(), message.role(), now));
        emit(now -> new AgentEvent.MessageEnd(loop.sessionId(), loop.text(), message, now));
    }

    /** The model's answer, which providers are asked for as a whole: one update per block of text. */
    public void answer(Message message) {
        emit(now -> new AgentEvent.MessageStart(loop.sessionId(), loop.text(), message.role(), now));
        for (Content block : message.content()) {
            if (block instanceof Content.Text(String text)) {
                emit(now -> new AgentEvent.MessageUpdate(loop.sessionId(), loop.text(), text, now));
            }
        }
        emit(now -> new AgentEvent.MessageEnd(loop.sessionId(), loop.text(), message, now));
    }

    void toolStart(Content.ToolCall call) {
        emit(now -> new AgentEvent.ToolExecutionStart(
                loop.sessionId(), loop.text(), call.id(), call.name(), call.arguments(), now));
    }

    void toolUpdate(Content.ToolCall call, String text) {
        emit(now ->
                new AgentEvent.ToolExecutionUpdate(loop.sessionId(), loop.text(), call.id(), call.name(), text, now));
    }

    void toolEnd(Content.ToolCall call, Message result) {
        boolean isError = result.toolResult() != null && result.toolResult().isError();
        emit(now -> new AgentEvent.ToolExecutionEnd(
                loop.sessionId(), loop.text(), call.id(), call.name(), result.text(), isError, now));
    }

    /** A notice or a warning, as a sentence for people. */
    public void progress(String text) {
        emit(now -> new AgentEvent.ProgressMessage(loop.sessionId(), loop.text(), text, now));
    }

    void inputRejected(String reason) {
        emit(now -> new AgentEvent.InputRejected(loop.sessionId(), loop.text(), reason, now));
    }

    void compactionStarted(long tokens, long budget) {
        emit(now -> new AgentEvent.CompactionStarted(loop.sessionId(), loop.text(), tokens, budget, now));
    }

    void compactionEnded(long tokensBefore, long tokensAfter, long budget, boolean satisfied) {
        emit(now -> new AgentEvent.CompactionEnded(
                loop.sessionId(), loop.text(), tokensBefore, tokensAfter, budget, satisfied, now));
    }
}
