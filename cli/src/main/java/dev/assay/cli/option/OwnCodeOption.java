package dev.assay.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaignfile.WrittenCode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of own code: whether it may run, and what it may see. */
public final class OwnCodeOption {

    private static final String NONE = "none";

    @Option(names = "--allow-code", paramLabel = "WORD", description = "none: refuse a campaign with own code.")
    private @Nullable String word;

    @Option(
            names = "--no-code",
            description = "Load no code before anything is sent: programs that give tests, vars or values have no"
                    + " counterpart then, and errors of code are found when it runs.")
    private boolean isNotLoaded;

    @Option(
            names = "--code-env",
            paramLabel = "NAME",
            description = "A variable of the environment that own code may see; may be repeated.")
    private List<String> env = new ArrayList<>();

    /** Whether code is loaded here before anything is sent. */
    public boolean loads() {
        return word == null && !isNotLoaded;
    }

    /** The names of variables that code may see. */
    List<String> env() {
        return env;
    }

    /** What is to be said of code that is not loaded; empty: nothing. */
    public List<String> notes() {
        return isNotLoaded ? List.of("Note: --no-code: no code of the file was loaded.") : List.of();
    }

    /** Adds the variables that were named to those of the file. */
    void putEnv(ObjectNode document) {
        JsonNode known = document.path("codeEnv");
        if (env.isEmpty() || !(known.isMissingNode() || known.isArray())) {
            return;
        }
        Set<String> names = new LinkedHashSet<>();
        known.forEach(name -> names.add(name.asText()));
        names.addAll(env);
        ArrayNode all = document.putArray("codeEnv");
        names.forEach(all::add);
    }

    /**
     * Refuses what must not run.
     *
     * @param document a valid campaign
     * @throws AssayException EVAL_CODE_UNAVAILABLE with the path of each code; INVALID_INPUT when there is no such word
     */
    public void check(JsonNode document) {
        if (word == null) {
            return;
        }
        if (!word.equals(NONE)) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "--allow-code must be none, not \"" + word + "\"");
        }
        List<FieldError> errors = new ArrayList<>();
        WrittenCode.visit(
                document,
                code -> errors.add(new FieldError(code.path(), "This is own code, which --allow-code none refuses.")));
        if (!errors.isEmpty()) {
            throw AssayException.refused(
                    ErrorCode.EVAL_CODE_UNAVAILABLE,
                    "EVAL_CODE_UNAVAILABLE: the campaign has own code, which --allow-code none refuses",
                    errors,
                    0);
        }
    }
}
