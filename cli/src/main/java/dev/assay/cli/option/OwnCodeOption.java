package dev.assay.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaignfile.WrittenCode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that refuses own code of a file that its user does not trust. */
public final class OwnCodeOption {

    private static final String NONE = "none";

    @Option(names = "--allow-code", paramLabel = "WORD", description = "none: refuse a campaign with own code.")
    private @Nullable String word;

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
