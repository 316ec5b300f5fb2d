package dev.assay.activities.agent;

import dev.assay.activities.provider.ModelClient;
import dev.assay.activities.provider.ModelException;
import dev.assay.activities.provider.ModelReply;
import dev.assay.activities.provider.ModelRequest;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs an agent: turn by turn until the model calls no tool, or a limit is reached (semantics A6).
 *
 * <p>No tools are offered yet. A model that calls one all the same is told that it does not exist, and goes on.
 */
public final class AgentLoop {

    private final LongSupplier nanoTime;
    private final AgentEvents sink;

    /**
     * @param nanoTime nanoseconds from an arbitrary origin, never going back
     * @param sink hears of every step between the loop's begin and end, which whoever runs its attempts tells
     */
    public AgentLoop(LongSupplier nanoTime, AgentEvents sink) {
        this.nanoTime = nanoTime;
        this.sink = sink;
    }

    /**
     * Runs {@code task}, asking {@code client} once a turn.
     *
     * @throws AgentLoopException when a turn failed, or with code CELL_TIMED_OUT when the task's timeout ran out
     * @throws InterruptedException when the calling thread is interrupted; the request in flight is aborted
     */
    public AgentResult run(AgentTask task, ModelClient client) throws InterruptedException {
        long start = nanoTime.getAsLong();
        AgentProgress progress = new AgentProgress(task);
        LoopEvents events = new LoopEvents(task.loop(), sink);
        while (true) {
            Duration elapsed = elapsedSince(start);
            Optional<String> limit = progress.limitReached(elapsed);
            if (limit.isPresent()) {
                return progress.limited(new Failure(ErrorCode.BRANCH_LIMIT, limit.get()));
            }
            Duration remaining = task.timeout().minus(elapsed);
            if (!remaining.isPositive()) {
                throw timedOut(task, progress, null);
            }
            events.turnStart(progress.turns() + 1);
            if (progress.turns() == 0) {
                progress.newMessages().forEach(events::message);
            }
            ModelReply reply = turn(task, client, progress, remaining, start);
            events.answer(reply.message());
            List<Content.ToolCall> calls = progress.add(reply);
            List<Message> results =
                    calls.stream().map(call -> run(call, events)).toList();
            results.forEach(progress::add);
            events.turnEnd(progress.turns(), reply, results);
            if (calls.isEmpty()) {
                return progress.completed();
            }
        }
    }

    private static Message run(Content.ToolCall call, LoopEvents events) {
        events.toolStart(call);
        Message result = unknownTool(call);
        events.toolEnd(call, result);
        events.message(result);
        return result;
    }

    private ModelReply turn(AgentTask task, ModelClient client, AgentProgress progress, Duration remaining, long start)
            throws InterruptedException {
        try {
            return client.ask(new ModelRequest(
                    task.branch().agent().choice(),
                    task.branch().systemPrompt(),
                    progress.conversation(),
                    task.trial(),
                    task.attempt(),
                    task.maxOutputTokens(),
                    remaining));
        } catch (ModelException e) {
            boolean late = e.failure().code() == ErrorCode.PROVIDER_TIMEOUT
                    && elapsedSince(start).compareTo(task.timeout()) >= 0;
            throw late ? timedOut(task, progress, e) : new AgentLoopException(e, progress);
        }
    }

    private Duration elapsedSince(long start) {
        return Duration.ofNanos(nanoTime.getAsLong() - start);
    }

    private static AgentLoopException timedOut(AgentTask task, AgentProgress progress, @Nullable ModelException cause) {
        String message = "The cell's time of %s s ran out; raise limits.timeoutSeconds, or ask for less."
                .formatted(AgentProgress.seconds(task.timeout()));
        return new AgentLoopException(new Failure(ErrorCode.CELL_TIMED_OUT, message), progress, cause);
    }

    private static Message unknownTool(Content.ToolCall call) {
        return new Message(
                Role.TOOL,
                List.of(new Content.Text("There is no tool " + call.name() + ".")),
                new Message.ToolResult(call.id(), call.name(), true));
    }

}
