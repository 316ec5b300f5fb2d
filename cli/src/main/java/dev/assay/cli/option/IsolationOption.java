package dev.assay.cli.option;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.IsolationLevel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says how far programs are kept apart. */
public final class IsolationOption {

    @Option(
            names = "--isolation",
            paramLabel = "LEVEL",
            description = "Keep programs of branches apart at least so: none, confined, user or container."
                    + " Default: what this machine can (up, worker); none (run, resume).")
    private @Nullable String word;

    /**
     * The level that was asked for; null: none was.
     *
     * @throws AssayException INVALID_INPUT when there is no such level
     */
    public @Nullable IsolationLevel level() {
        if (word == null) {
            return null;
        }
        Map<String, IsolationLevel> known = IsolationLevel.byWord();
        IsolationLevel level = known.get(word);
        if (level == null) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "--isolation must be one of " + String.join(", ", known.keySet()) + ", not \"" + word + "\"");
        }
        return level;
    }
}
