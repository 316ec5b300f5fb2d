package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.tool.BuiltInTool;
import dev.assay.domain.tool.ToolException;
import dev.assay.domain.tool.ToolSpec;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A tool that can be called. Safe for use by many threads. */
public interface RunnableTool {

    /** How much longer than {@link #timeout} a tool's own clock runs: the loop gives up first, with its own message. */
    Duration GRACE = Duration.ofSeconds(5);

    /** The tool as the model sees it. */
    ToolSpec spec();

    /** The time limit of one call. */
    Duration timeout();

    /** Whether a call is idempotent: it may be repeated when its end is unknown. */
    boolean idempotent();

    /** The built-in tool whose calls belong into a compute process; null: {@link #run} answers them. */
    default @Nullable BuiltInTool computes() {
        return null;
    }

    /**
     * Answers one call.
     *
     * @param arguments valid by the tool's schema
     * @param updates receives the tool's progress, on any thread; a sentence for people
     * @return what the model is told
     * @throws ToolException when the tool failed; its message goes to the model
     * @throws InterruptedException when the calling thread is interrupted; the call is given up
     */
    String run(JsonNode arguments, Consumer<String> updates) throws InterruptedException;
}
