package dev.assay.domain.trace;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The evidence of a trial beside its conversation.
 *
 * @param stdout what the agent's program printed; null for a model, whose answer stands for it
 * @param trace what happened, in order
 * @param files which of the paths that the checks ask for exist below the working directory; null without such a directory
 * @param exitCode how the program ended; null for a model, and for a program that did not end by itself
 */
public record Evidence(
        @Nullable String stdout,
        List<TraceEvent> trace,
        @Nullable Set<String> files,
        @Nullable Integer exitCode) {

    /** Nothing is known. */
    public static final Evidence NONE = new Evidence(null, List.of(), null, null);

    public Evidence {
        trace = List.copyOf(trace);
        files = files == null ? null : Set.copyOf(files);
    }

    /** Whether a signal ended the program: a shell says 128 + n for signal n, 1–64. */
    public boolean endedBySignal() {
        return exitCode != null && exitCode > 128 && exitCode <= 128 + 64;
    }
}
