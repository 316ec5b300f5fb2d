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

    /** What may stand before the file of a provider. */
    private static final Pattern PROVIDER = Pattern.compile("(?:(file://|python:|javascript:)(.+)|([^:]+))");

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

    /** Reads the id of a provider that own code is; null: it is that of another one. Only Python's has a function. */
    static @Nullable CodeName ofProvider(String id) {
        Matcher own = PROVIDER.matcher(id);
        CodeName name = own.matches() ? read(own.group(2) == null ? own.group(3) : own.group(2)) : null;
        boolean isMeant = name != null
                && (own.group(1) == null
                        || own.group(1).startsWith(name.language.word())
                        || own.group(1).startsWith("file"))
                && (own.group(1) != null || name.language == CodeLanguage.JAVASCRIPT)
                && (name.function == null || name.language == CodeLanguage.PYTHON);
        return isMeant ? name : null;
    }

    /** A call of it. */
    Call call(Use use, List<JsonNode> arguments) {
        return new Call(use, language, file, function, null, arguments);
    }
}
