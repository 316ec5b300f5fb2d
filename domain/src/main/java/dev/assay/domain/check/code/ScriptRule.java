package dev.assay.domain.check.code;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.document.FieldReader;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Code in a language whose interpreter the user has.
 *
 * @param value the code itself, 1–100,000 characters; null: it stands in {@code file}
 * @param file its path below the campaign's code directory; null: it is {@code value}
 * @param function of the file; null: the one that its language has by default
 */
public record ScriptRule(
        @JsonIgnore CodeLanguage language,
        @Nullable String value,
        @Nullable String file,
        @Nullable String function,
        @Nullable JsonNode config,
        @Nullable BigDecimal threshold,
        int timeoutSeconds)
        implements CodeRule {

    /** The most characters of {@code value}. */
    public static final int MAX_CODE = 100_000;

    private static final Set<String> FIELDS =
            Set.of("value", "file", "function", "config", "threshold", "timeoutSeconds");

    private static final Map<CodeLanguage, CheckKind> KINDS = Map.of(
            CodeLanguage.PYTHON, kind(CodeLanguage.PYTHON), CodeLanguage.JAVASCRIPT, kind(CodeLanguage.JAVASCRIPT));

    private static CheckKind kind(CodeLanguage language) {
        return new CheckKind(
                language.word(), 1, FIELDS, json -> stored(language, json), fields -> read(language, fields));
    }

    static Stream<CheckKind> kinds() {
        return Stream.of(CodeLanguage.PYTHON, CodeLanguage.JAVASCRIPT)
                .map(language -> requireNonNull(KINDS.get(language)));
    }

    private static ScriptRule stored(CodeLanguage language, JsonNode json) {
        return new ScriptRule(
                language,
                json.path("value").textValue(),
                json.path("file").textValue(),
                json.path("function").textValue(),
                json.get("config"),
                json.hasNonNull("threshold") ? json.get("threshold").decimalValue() : null,
                json.get("timeoutSeconds").intValue());
    }

    private static ScriptRule read(CodeLanguage language, FieldReader fields) {
        boolean isFile = fields.has("file");
        if (isFile && fields.has("value")) {
            fields.problem("value", "Write either `value`, which is the code itself, or `file`, not both.");
        }
        if (!isFile && fields.has("function")) {
            fields.problem("function", "`function` names one of a `file`; remove it, or write `file`.");
        }
        return new ScriptRule(
                language,
                isFile ? null : CodeReader.code(fields, "value"),
                isFile ? CodeReader.file(language, fields) : null,
                isFile ? CodeReader.function(language, fields) : null,
                CodeFields.config(fields),
                CodeFields.threshold(fields),
                CodeFields.seconds(fields));
    }

    /** The code itself. */
    public Script script() {
        return new Script(language, value, file, function);
    }

    @Override
    public CodeNeed need() {
        return script().need();
    }

    @Override
    public CheckKind kind() {
        return requireNonNull(KINDS.get(language));
    }
}
