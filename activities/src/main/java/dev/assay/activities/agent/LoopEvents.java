package dev.assay.activities.agent;

import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.AgentName;
import dev.assay.domain.error.Failure;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The emitter of the events of one loop. It costs nothing without a listener. */
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

    /** One at a time: tools of a turn run concurrently. */
    private synchronized void emit(Function<Instant, AgentEvent> event) {
        if (!sink.equals(AgentEvents.NONE)) {
            sink.emit(event.apply(clock.instant()));
        }
    }

    /** The loop begins: its first attempt does. */
    public void agentStart(AgentName name) {
        emit(now -> new AgentEvent.AgentStart(loop.sessionId(), loop.text(), name.provider(), name.model(), now));
    }

    /**
     * The events that end the loop for good, to be emitted with its record. AgentStart stands before AgentEnd, since a loop may end
     * before it began. Events that were emitted already are left out later.
     */
    public List<AgentEvent> ended(
            AgentName name,
            OutcomeStatus status,
            List<Message> messages,
            Measured measured,
            @Nullable Failure failure) {
        if (sink.equals(AgentEvents.NONE)) {
            return List.of();
        }
        Instant now = clock.instant();
        return List.of(
                new AgentEvent.AgentStart(loop.sessionId(), loop.text(), name.provider(), name.model(), now),
                new AgentEvent.AgentEnd(
                        loop.sessionId(),
                        loop.text(),
                        status,
                        messages,
                        measured.usage(),
                        measured.costUsd(),
                        failure,
                        now));
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
        messageEnd(message);
    }

    /**
     * Asks {@code client} and emits the answer: piece by piece where the client streams and there is a listener, else at the end.
     *
     * @throws dev.assay.activities.model.ModelException as the client does
     */
    public ModelReply ask(ModelClient client, ModelRequest request) throws InterruptedException {
        if (sink.equals(AgentEvents.NONE)) {
            return client.ask(request);
        }
        try (AnswerStream stream = new AnswerStream(this, System::nanoTime)) {
            ModelReply reply = client.ask(request, stream);
            stream.end(reply.message());
            return reply;
        }
    }

    /** Emits an answer that is complete at once: one update per block. */
    void answer(Message message) {
        List<AgentEvent> told = new ArrayList<>(List.of(answerStart()));
        Map<Part, Integer> index = new EnumMap<>(Part.class);
        for (Content block : message.content()) {
            switch (block) {
                case Content.Text(String text) -> told.add(update(Part.TEXT, next(index, Part.TEXT), null, 0, text));
                // A thought that only its provider can read.
                case Content.Thinking thinking when thinking.text().isEmpty() -> {}
                case Content.Thinking thinking ->
                    told.add(update(Part.THINKING, next(index, Part.THINKING), null, 0, thinking.text()));
                case Content.ToolCall call ->
                    told.add(update(
                            Part.TOOL_CALL,
                            next(index, Part.TOOL_CALL),
                            call.name(),
                            0,
                            call.arguments().toString()));
                case Content.Image _ -> {}
            }
        }
        var _ = tell(told);
        messageEnd(message);
    }

    private static int next(Map<Part, Integer> index, Part part) {
        return index.merge(part, 1, Integer::sum) - 1;
    }

    AgentEvent answerStart() {
        return new AgentEvent.MessageStart(loop.sessionId(), loop.text(), Role.ASSISTANT, clock.instant());
    }

    AgentEvent update(Part part, int index, @Nullable String toolName, int offset, String delta) {
        return new AgentEvent.MessageUpdate(
                loop.sessionId(), loop.text(), part, index, toolName, offset, delta, clock.instant());
    }

    void messageEnd(Message message) {
        emit(now -> new AgentEvent.MessageEnd(loop.sessionId(), loop.text(), message, now));
    }

    synchronized CompletableFuture<?> tell(List<AgentEvent> events) {
        return sink.tell(events);
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

    /** An attempt failed, and is made again later. */
    public void repeats(int attempt, Failure failure, int maxAttempts, Duration delay) {
        progress("Attempt %d of %d failed and is made again in %d ms: %s"
                .formatted(attempt, maxAttempts, delay.toMillis(), failure.message()));
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
