package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.imports.SourcePrograms.Call;
import dev.assay.domain.imports.SourcePrograms.Use;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of code as a configuration names it, such as {@code file://checks.py:polite}.
 *
 * @param function null: the usual one
 */
record CodeName(
        CodeLanguage language, String file, @Nullable String function) {

    private static final Pattern FILE = Pattern.compile("(?:file://)?(.+\\.(?:py|[cm]?js))(?::([^:/]+))?");

    /** Reads a name with or without {@code file://}; null: it is that of another file, or no name. */
    static @Nullable CodeName read(String written) {
        Matcher file = written.indexOf('\n') < 0 ? FILE.matcher(written) : null;
        return file == null || !file.matches()
                ? null
                : new CodeName(
                        file.group(1).endsWith(".py") ? CodeLanguage.PYTHON : CodeLanguage.JAVASCRIPT,
                        file.group(1),
                        file.group(2));
    }

    /** A call of it. */
    Call call(Use use, List<JsonNode> arguments) {
        return new Call(use, language, file, function, null, arguments);
    }
}
