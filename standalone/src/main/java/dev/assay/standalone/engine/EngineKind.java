package dev.assay.standalone.engine;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.process.DetachedCommand;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Temporal that runs campaigns. */
public enum EngineKind {
    /** The Java test server in this process, time skipping off. Nothing to install; its histories end with the process. */
    IN_PROCESS("in-process"),
    /** The dev server of the {@code temporal} CLI as a supervised child: its histories survive, and it has pages. */
    DEV_SERVER("dev-server"),
    /** An external service, named by {@code TEMPORAL_ADDRESS}. */
    EXTERNAL("external");

    private final String word;

    EngineKind(String word) {
        this.word = word;
    }

    /** The word that users type. */
    public String word() {
        return word;
    }

    /**
     * Reads what a user typed.
     *
     * @throws AssayException INVALID_INPUT for anything else
     */
    public static EngineKind parse(String word) {
        return switch (word) {
            case "in-process", "embedded" -> IN_PROCESS;
            case "dev-server" -> DEV_SERVER;
            case "external" -> EXTERNAL;
            default ->
                throw new AssayException(
                        ErrorCode.INVALID_INPUT,
                        "There is no engine \"" + word + "\"; use in-process, dev-server or external");
        };
    }

    /**
     * The engine for this machine. The option or {@code ASSAY_ENGINE} decides. Else it is an external service if
     * {@code TEMPORAL_ADDRESS} names one, else the dev server if the {@code temporal} CLI is on the PATH. Else it is this process.
     *
     * @param option value of {@code --engine}; null: not given
     */
    public static EngineKind choose(@Nullable String option, Map<String, String> environment) {
        String asked = option != null ? option : environment.getOrDefault("ASSAY_ENGINE", "");
        if (!asked.isEmpty()) {
            return parse(asked);
        }
        if (!environment.getOrDefault("TEMPORAL_ADDRESS", "").isEmpty()) {
            return EXTERNAL;
        }
        return DetachedCommand.onPath("temporal").isPresent() ? DEV_SERVER : IN_PROCESS;
    }
}
