package dev.assay.domain.check.code;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.InnerPath;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
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

    /** The endings of files, and the names of functions. */
    private static final Map<CodeLanguage, Pattern> FILES = Map.of(
            CodeLanguage.PYTHON, Pattern.compile(".*\\.py"),
            CodeLanguage.JAVASCRIPT, Pattern.compile(".*\\.[cm]?js"));

    private static final Map<CodeLanguage, Pattern> FUNCTIONS = Map.of(
            CodeLanguage.PYTHON, Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]*(\\.[\\p{L}_][\\p{L}\\p{N}_]*)?"),
            CodeLanguage.JAVASCRIPT, Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*"));

    private static final Map<CodeLanguage, CheckKind> KINDS = Map.of(
            CodeLanguage.PYTHON, kind(CodeLanguage.PYTHON), CodeLanguage.JAVASCRIPT, kind(CodeLanguage.JAVASCRIPT));

    private static CheckKind kind(CodeLanguage language) {
        return new CheckKind(language.word(), FIELDS, json -> stored(language, json), fields -> read(language, fields));
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
                isFile ? null : code(fields),
                isFile ? file(language, fields) : null,
                isFile && fields.hasValue("function") ? function(language, fields) : null,
                CodeFields.config(fields),
                CodeFields.threshold(fields),
                CodeFields.seconds(fields));
    }

    private static String code(FieldReader fields) {
        String code = fields.text("value");
        if (code.codePointCount(0, code.length()) > MAX_CODE) {
            fields.problem("value", "`value` has more than 100,000 characters; put the code in a `file`.");
        }
        return code;
    }

    private static String file(CodeLanguage language, FieldReader fields) {
        String file = fields.text("file");
        String wrong = fields.isWrong("file") ? null : InnerPath.problem(file);
        if (wrong != null) {
            fields.problem("file", "`file` " + wrong.replace("working", "code") + ".");
        } else if (!fields.isWrong("file")
                && !requireNonNull(FILES.get(language)).matcher(file).matches()) {
            fields.problem(
                    "file",
                    "`file` must end in " + (language == CodeLanguage.PYTHON ? ".py" : ".js, .cjs or .mjs") + ".");
        }
        return file;
    }

    private static String function(CodeLanguage language, FieldReader fields) {
        String name = fields.text("function");
        if (!fields.isWrong("function")
                && !requireNonNull(FUNCTIONS.get(language)).matcher(name).matches()) {
            fields.problem(
                    "function",
                    "`function` must be a name" + (language == CodeLanguage.PYTHON ? ", or Class.method." : "."));
        }
        return name;
    }

    @Override
    public CheckKind kind() {
        return requireNonNull(KINDS.get(language));
    }
}
