package dev.assay.activities.agent;

import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.tool.Toolbox;
import dev.assay.domain.agent.InputFilter;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.compaction.LoopCompaction;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.PatternTask;
import dev.assay.work.compute.Stop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of an agent: turn by turn until the model calls no tool, or a limit is reached (docs/campaign-file.md). */
public final class AgentLoop {

    private static final Logger LOG = LoggerFactory.getLogger(AgentLoop.class);

    private final LongSupplier nanoTime;
    private final AgentEvents sink;
    private final Toolbox toolbox;
    private final LoopRecord record;
    private final Computing computing;
    private final boolean compacts;

    /**
     * A loop.
     *
     * @param nanoTime nanoseconds from an arbitrary origin, never going back
     * @param sink receives every event except AgentStart and AgentEnd; the caller emits those
     * @param toolbox what the model may call
     * @param record turns of earlier attempts, after which the loop resumes; it also receives the turns of this one
     * @param computing runs filters, schemas and built-in tools
     * @param compacts whether a conversation that is too long for the branch's window is compacted before it is sent
     */
    public AgentLoop(
            LongSupplier nanoTime,
            AgentEvents sink,
            Toolbox toolbox,
            LoopRecord record,
            Computing computing,
            boolean compacts) {
        this.nanoTime = nanoTime;
        this.sink = sink;
        this.toolbox = toolbox;
        this.record = record;
        this.computing = computing;
        this.compacts = compacts;
    }

    /** A loop without tools that records nothing. */
    public AgentLoop(LongSupplier nanoTime, AgentEvents sink) {
        this(nanoTime, sink, Toolbox.EMPTY, LoopRecord.NONE, Computing.HERE, true);
    }

    /**
     * Runs {@code task}, asking {@code client} once a turn.
     *
     * @throws AgentLoopException when a turn failed; INPUT_REJECTED: a filter refused the prompts; CELL_TIMED_OUT: the task's
     *     timeout ran out; INTERNAL: an unexpected error
     * @throws InterruptedLoopException when the calling thread is interrupted; the request in flight is aborted
     */
    public AgentResult run(AgentTask task, ModelClient client) throws InterruptedException {
        Run run = new Run(task, client);
        try {
            return run.toItsEnd();
        } catch (InterruptedException e) {
            throw new InterruptedLoopException(e, run.progress.soFar());
        } catch (AgentLoopException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            if (e instanceof RuntimeException && Thread.interrupted()) {
                // The interrupt hit a wait of the loop, such as one for PostgreSQL, which throws its own exception.
                InterruptedException interrupt = new InterruptedException(e.toString());
                interrupt.initCause(e);
                throw new InterruptedLoopException(interrupt, run.progress.soFar());
            }
            LOG.error("Loop {} ended unexpectedly", task.loop().text(), e);
            throw new AgentLoopException(Failure.unexpected(e), run.progress.soFar(), e);
        }
    }

    /** One run of the loop. */
    private final class Run {

        private final AgentTask task;
        private final ModelClient client;
        private final AgentProgress progress;
        private final LoopEvents events;
        private final ToolCalls tools;
        private final long start = nanoTime.getAsLong();

        Run(AgentTask task, ModelClient client) {
            this.task = task;
            this.client = client;
            this.progress = new AgentProgress(task);
            this.events = new LoopEvents(task.loop(), sink);
            boolean sequential = task.branch().tools().sequential();
            this.tools = new ToolCalls(
                    toolbox,
                    new ToolCalls.Mode(sequential, task.loop().queue()),
                    events,
                    record,
                    computing,
                    progress::warned);
        }

        AgentResult toItsEnd() throws InterruptedException {
            List<RecordedTurn> recorded = record.turns();
            filterInput(recorded.isEmpty());
            for (RecordedTurn turn : recorded) {
                progress.goOnAfter(turn);
                runTools(ModelReply.of(turn), turn.calls());
            }
            while (true) {
                Optional<String> limit = progress.limitReached(elapsed());
                if (limit.isPresent()) {
                    return progress.limited(new Failure(ErrorCode.BRANCH_LIMIT, limit.get()));
                }
                if (!remaining().isPositive()) {
                    throw timedOut(null);
                }
                if (isLastTurn()) {
                    return progress.completed();
                }
            }
        }

        /** Asks the model and runs the tools that it calls. True when it called none. */
        private boolean isLastTurn() throws InterruptedException {
            List<Message> conversation = compacted();
            events.turnStart(progress.turns() + 1);
            if (progress.turns() == 0) {
                progress.newMessages().forEach(events::message);
            }
            ModelReply reply = ask(conversation);
            reply.warnings().stream().filter(progress::warned).forEach(events::progress);
            progress.add(reply);
            if (reply.message().toolCalls().isEmpty()) {
                events.turnEnd(progress.turns(), reply, List.of());
                return true;
            }
            record.turn(
                    reply.recorded(progress.turns(), progress.elapsedBefore().plus(elapsed())));
            runTools(reply, Map.of());
            return false;
        }

        /** @param begun calls that an earlier attempt began; when it finished them all, their events were emitted */
        private void runTools(ModelReply reply, Map<Integer, RecordedTurn.Call> begun) throws InterruptedException {
            List<Content.ToolCall> calls = reply.message().toolCalls();
            List<Message> results = tools.run(progress.turns(), calls, begun, remaining());
            results.forEach(progress::add);
            boolean isNews = begun.values().stream()
                            .filter(call -> call.result() != null)
                            .count()
                    < calls.size();
            if (isNews) {
                results.forEach(events::message);
                events.turnEnd(progress.turns(), reply, results);
            }
        }

        /** @param isNew whether the findings of filters are still to be reported */
        private void filterInput(boolean isNew) throws InterruptedException {
            String input = progress.input();
            for (InputFilter filter : task.branch().inputFilters()) {
                String found = found(filter, input);
                if (found != null && filter.rejects()) {
                    events.inputRejected(found);
                    throw new AgentLoopException(new Failure(ErrorCode.INPUT_REJECTED, found), progress.soFar(), null);
                }
                if (found != null) {
                    progress.warned(found);
                    if (isNew) {
                        events.progress(found);
                    }
                }
            }
        }

        /** A filter that is stopped counts as a match: it must not be passed by making it slow. */
        private @Nullable String found(InputFilter filter, String input) throws InterruptedException {
            if (!(filter.rule() instanceof InputFilter.Rule.Regex(String pattern))) {
                return filter.finds(input);
            }
            PatternTask task = new PatternTask(List.of(pattern), input);
            return switch (computing.run(this.task.loop().queue(), task).getFirst()) {
                case Computed.Done<Boolean>(Boolean found) -> found ? filter.found() : null;
                case Computed.Stopped<Boolean>(Stop stop) -> stop.sentence("The input filter");
            };
        }

        /** The messages to send. */
        private List<Message> compacted() {
            Integer window = task.branch().maxContextTokens();
            if (window == null || !compacts) {
                return progress.conversation();
            }
            long before = LoopCompaction.tokens(task.branch().systemPrompt(), progress.conversation());
            if (before <= window) {
                return progress.conversation();
            }
            events.compactionStarted(before, window);
            LoopCompaction.Result result =
                    LoopCompaction.compact(task.branch().systemPrompt(), progress.conversation(), window);
            events.compactionEnded(before, result.tokens(), window, result.satisfied());
            if (!result.satisfied()) {
                String warning =
                        "The conversation still has an estimated %d tokens after compaction; maxContextTokens is %d."
                                .formatted(result.tokens(), window);
                progress.warned(warning);
                events.progress(warning);
            }
            return result.messages();
        }

        private ModelReply ask(List<Message> conversation) throws InterruptedException {
            try {
                return events.ask(
                        client,
                        new ModelRequest(
                                task.branch().systemPrompt(),
                                conversation,
                                toolbox.specs(),
                                task.trial(),
                                task.attempt(),
                                progress.turns() + 1,
                                task.maxOutputTokens(),
                                remaining()));
            } catch (ModelException e) {
                boolean late = e.failure().code() == ErrorCode.PROVIDER_TIMEOUT
                        && !remaining().isPositive();
                throw late ? timedOut(e) : new AgentLoopException(e, progress.soFar());
            }
        }

        private Duration elapsed() {
            return Duration.ofNanos(nanoTime.getAsLong() - start);
        }

        private Duration remaining() {
            return task.timeout().minus(elapsed());
        }

        private AgentLoopException timedOut(@Nullable ModelException cause) {
            String message =
                    "The cell's time of %s s ran out; raise limits.timeoutSeconds (timeout_seconds of a FastSkill folder), or ask for less."
                            .formatted(AgentProgress.seconds(task.timeout()));
            return new AgentLoopException(new Failure(ErrorCode.CELL_TIMED_OUT, message), progress.soFar(), cause);
        }
    }
}
