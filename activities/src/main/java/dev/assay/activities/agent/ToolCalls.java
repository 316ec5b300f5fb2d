package dev.assay.activities.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.tool.RunnableTool;
import dev.assay.activities.tool.Toolbox;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.schema.SchemaVerdict;
import dev.assay.domain.text.StorableText;
import dev.assay.domain.text.Utf8;
import dev.assay.domain.tool.BuiltInTool;
import dev.assay.domain.tool.ToolException;
import dev.assay.work.compute.Answered;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.SchemaTask;
import dev.assay.work.compute.Stop;
import dev.assay.work.compute.Task;
import dev.assay.work.compute.ToolTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runner of the tool calls of turns. A failure of a call is its result, marked as an error: the model decides how to react. */
final class ToolCalls {

    private static final Logger LOG = LoggerFactory.getLogger(ToolCalls.class);

    /** Longest result that the model is shown, in bytes of UTF-8; a note says that the rest is left out. */
    static final int MAX_RESULT_BYTES = 64 * 1024;

    private static final String MAY_HAVE_RUN = "The call was interrupted. It may have run or not; it is not repeated,"
            + " because a repetition could do harm. Find out before you call it again.";

    private static final String MADE_STORABLE =
            "The result of a tool held characters that cannot be stored; U+FFFD stands in their place.";

    private final Toolbox toolbox;
    private final Mode mode;
    private final LoopEvents events;
    private final LoopRecord record;
    private final Computing computing;
    private final Consumer<String> warnings;

    /**
     * The way in which calls are run.
     *
     * @param queue whose turn they take where they compute
     */
    record Mode(boolean sequential, String queue) {}

    /** @param warnings receives the outcome's warnings, on any thread */
    ToolCalls(
            Toolbox toolbox,
            Mode mode,
            LoopEvents events,
            LoopRecord record,
            Computing computing,
            Consumer<String> warnings) {
        this.toolbox = toolbox;
        this.mode = mode;
        this.events = events;
        this.record = record;
        this.computing = computing;
        this.warnings = warnings;
    }

    /** One call of a turn: turn from 1, place in it from 0. */
    private record Place(int turn, int index) {}

    /**
     * Runs {@code calls}, concurrently or one after the other. It does not repeat calls that an earlier attempt finished. It
     * repeats a call that was only begun if the tool is idempotent.
     *
     * @param turn from 1
     * @param begun calls that an earlier attempt began, by their place
     * @param remaining time of the cell that is left
     * @return one result per call, in order
     */
    List<Message> run(int turn, List<Content.ToolCall> calls, Map<Integer, RecordedTurn.Call> begun, Duration remaining)
            throws InterruptedException {
        List<Callable<Message>> work = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            Place place = new Place(turn, i);
            Content.ToolCall call = calls.get(i);
            RecordedTurn.Call earlier = begun.get(i);
            Message finished = earlier == null ? null : earlier.result();
            work.add(() -> finished != null ? finished : run(place, call, earlier != null, remaining));
        }
        return mode.sequential || work.size() == 1 ? inOrder(work) : allAtOnce(work);
    }

    private static List<Message> inOrder(List<Callable<Message>> work) throws InterruptedException {
        List<Message> results = new ArrayList<>(work.size());
        for (Callable<Message> call : work) {
            FutureTask<Message> here = new FutureTask<>(call);
            here.run();
            results.add(resultOf(here));
        }
        return results;
    }

    private static List<Message> allAtOnce(List<Callable<Message>> work) throws InterruptedException {
        List<FutureTask<Message>> running =
                work.stream().map(call -> started("tool-call", call)).toList();
        List<Message> results = new ArrayList<>(work.size());
        try {
            for (FutureTask<Message> call : running) {
                results.add(resultOf(call));
            }
        } finally {
            // Without effect on those that are done.
            running.forEach(call -> call.cancel(true));
        }
        return results;
    }

    private static <T> FutureTask<T> started(String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().name(name).start(task);
        return task;
    }

    private static Message resultOf(FutureTask<Message> call) throws InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }

    private Message run(Place place, Content.ToolCall call, boolean wasBegun, Duration remaining)
            throws InterruptedException {
        events.toolStart(call);
        ToolUpdates updates = new ToolUpdates(System::nanoTime, text -> events.toolUpdate(call, text));
        Message result;
        try {
            result = answer(place, call, wasBegun, remaining, updates);
        } finally {
            updates.end();
        }
        record.toolEnds(place.turn(), place.index(), result);
        events.toolEnd(call, result);
        return result;
    }

    private Message answer(
            Place place, Content.ToolCall call, boolean wasBegun, Duration remaining, Consumer<String> updates)
            throws InterruptedException {
        RunnableTool tool = toolbox.find(call.name()).orElse(null);
        if (tool == null) {
            return message(call, "There is no tool " + call.name() + ".", true);
        }
        if (wasBegun && !tool.idempotent()) {
            return message(call, MAY_HAVE_RUN, true);
        }
        try {
            check(tool, call.arguments());
            if (!tool.idempotent()) {
                record.toolStarts(place.turn(), place.index());
            }
            return message(call, timed(tool, call.arguments(), remaining, updates), false);
        } catch (ToolException e) {
            return message(call, String.valueOf(e.getMessage()), true);
        }
    }

    private void check(RunnableTool tool, JsonNode arguments) throws InterruptedException {
        if (!arguments.isObject()) {
            throw new ToolException("The arguments are no JSON object: " + arguments.asText());
        }
        JsonNode schema = tool.spec().parameters();
        switch (computed("The check of the arguments", new SchemaTask(schema, arguments))) {
            case SchemaVerdict.Valid() -> {}
            case SchemaVerdict.Invalid(String violation) ->
                throw new ToolException("The arguments are wrong: " + violation + ".");
            case SchemaVerdict.Undecided(String reason) ->
                throw new ToolException("The arguments cannot be checked by the tool's JSON Schema: " + reason + ".");
        }
    }

    private <T> T computed(String what, Task<T> task) throws InterruptedException {
        return switch (computing.run(mode.queue, task).getFirst()) {
            case Computed.Done<T>(T answer) -> answer;
            case Computed.Stopped<T>(Stop stop) -> throw new ToolException(stop.sentence(what));
        };
    }

    /** On a thread of its own, so that a tool that ignores interrupts delays no other call. */
    private String timed(RunnableTool tool, JsonNode arguments, Duration remaining, Consumer<String> updates)
            throws InterruptedException {
        Duration time = tool.timeout().compareTo(remaining) <= 0 ? tool.timeout() : remaining;
        FutureTask<String> running = started("tool-" + tool.spec().name(), () -> called(tool, arguments, updates));
        try {
            return running.get(Math.max(0, time.toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new ToolException("The tool did not answer within " + AgentProgress.seconds(time) + " s.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ToolException failed) {
                throw failed;
            }
            // The text may hold secrets that the model must not read, such as the value of a header.
            LOG.warn("Tool {} failed unexpectedly", tool.spec().name(), e.getCause());
            throw new ToolException("The tool failed unexpectedly.", e);
        } finally {
            running.cancel(true);
        }
    }

    private String called(RunnableTool tool, JsonNode arguments, Consumer<String> updates) throws InterruptedException {
        BuiltInTool computes = tool.computes();
        if (computes == null) {
            return tool.run(arguments, updates);
        }
        Answered answer = computed("The tool " + tool.spec().name(), new ToolTask(computes, arguments));
        if (answer.text() == null) {
            throw new ToolException(String.valueOf(answer.problem()));
        }
        return answer.text();
    }

    private Message message(Content.ToolCall call, String text, boolean isError) {
        return new Message(
                Role.TOOL,
                List.of(new Content.Text(shown(text))),
                new Message.ToolResult(call.id(), call.name(), isError));
    }

    /** The result as it can be stored, and never empty: providers take no empty result. */
    private String shown(String text) {
        String storable = StorableText.of(text);
        if (!storable.equals(text)) {
            warnings.accept(MADE_STORABLE);
        }
        long bytes = Utf8.length(storable);
        if (bytes > MAX_RESULT_BYTES) {
            return Utf8.first(storable, MAX_RESULT_BYTES)
                    + "\n[cut: the first %d of %d bytes]".formatted(MAX_RESULT_BYTES, bytes);
        }
        return storable.isBlank() ? "(no output)" : storable;
    }
}
