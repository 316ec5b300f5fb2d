package dev.assay.domain.imports;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.code.CodeLanguage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The programs beside a file that is imported. They are run once, and what they give becomes part of the campaign. */
public interface SourcePrograms {

    /** None is run, as the user asks. */
    SourcePrograms NONE = _ -> new Ran.NotRun("none is run, as `--no-code` or `--allow-code none` asks.");

    /** Runs one of them. */
    Ran run(Call call);

    /** What a program is to give. */
    enum Use {
        /** A list of tests. */
        TESTS,
        /** The vars of a test, from its vars. */
        VARS,
        /** The value of an assertion; what it is given for the answer cannot be read. */
        VALUE
    }

    /**
     * A call.
     *
     * @param file below the directory of the file that is imported; null: {@code code} stands in that file
     * @param function null: the usual one
     * @param code null: it stands in {@code file}
     */
    record Call(
            Use use,
            CodeLanguage language,
            @Nullable String file,
            @Nullable String function,
            @Nullable String code,
            List<JsonNode> arguments) {

        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** What came of a call. */
    sealed interface Ran {

        /** It gave a value. */
        record Returned(JsonNode value) implements Ran {}

        /** It gave none. */
        record Failed(String message) implements Ran {}

        /** It is not run here, so what it would give has no counterpart. */
        record NotRun(String message) implements Ran {}
    }
}
