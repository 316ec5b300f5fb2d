package dev.assay.domain.check.code;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.InnerPath;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reader of own code that users write: the fields of a check, and an object that names a language. */
public final class CodeReader {

    /** The field that transforms an answer. */
    public static final String TRANSFORM = "transform";

    /** The field that says what a branch is asked. */
    public static final String TEMPLATE = "template";

    /** The fields of code that is no check: one of them is written. */
    public static final Fields FIELDS = Fields.of("code", CodeLanguage.PYTHON.word(), CodeLanguage.JAVASCRIPT.word());

    /** The fields of code in a file. */
    public static final Fields FILE = Fields.of("codeFile", "file", "function");

    /** The fields of code that says what is asked: one of them is written. */
    public static final Fields PROMPT =
            Fields.of("promptCode", CodeLanguage.PYTHON.word(), CodeLanguage.JAVASCRIPT.word());

    /** The fields of code that makes prompts. */
    public static final Fields PROMPT_FILE = Fields.of("promptFile", "file", "function", "asProgram", "config");

    /** The endings of files, and the names of functions. */
    private static final Map<CodeLanguage, Pattern> FILES = Map.of(
            CodeLanguage.PYTHON, Pattern.compile(".*\\.py"),
            CodeLanguage.JAVASCRIPT, Pattern.compile(".*\\.[cm]?js"));

    private static final Map<CodeLanguage, Pattern> FUNCTIONS = Map.of(
            CodeLanguage.PYTHON, Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]*(\\.[\\p{L}_][\\p{L}\\p{N}_]*)?"),
            CodeLanguage.JAVASCRIPT, Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*"));

    private CodeReader() {}

    /** Reads the field {@value #TRANSFORM}; null: it is not written, or wrong, which was reported. */
    public static @Nullable Script transform(FieldReader parent) {
        if (!parent.hasValue(TRANSFORM)) {
            return null;
        }
        FieldReader fields = parent.object(TRANSFORM, FIELDS);
        CodeLanguage language = fields == null ? null : language(fields);
        if (fields == null || language == null) {
            if (fields != null && !parent.isWrong(TRANSFORM)) {
                parent.problem(
                        TRANSFORM,
                        "`transform` must have one of the fields python and javascript, whose value is code.");
            }
            return null;
        }
        JsonNode code = fields.node(language.word());
        if (code != null && code.isObject()) {
            FieldReader inner = FieldReader.of(code, fields.path(language.word()), FILE, fields.problems());
            return new Script(language, null, file(language, inner), function(language, inner));
        }
        return inline(language, fields, code);
    }

    /** Reads the field {@value #TEMPLATE} that holds an object; null: it is wrong, which was reported. */
    public static @Nullable PromptCode prompt(FieldReader parent) {
        FieldReader fields = parent.object(TEMPLATE, PROMPT);
        CodeLanguage language = fields == null ? null : language(fields);
        JsonNode code = fields == null || language == null ? null : fields.node(language.word());
        if (fields == null || language == null || code == null) {
            parent.problem(TEMPLATE, "`template` that is code must have one of the fields python and javascript.");
            return null;
        }
        FieldReader inner = FieldReader.of(code, fields.path(language.word()), PROMPT_FILE, fields.problems());
        boolean asProgram = inner.flag("asProgram", false);
        String file = file(language, inner);
        String function = function(language, inner);
        if (asProgram && (language != CodeLanguage.PYTHON || function != null)) {
            inner.problem("asProgram", "`asProgram` is for python without `function` only.");
        } else if (!asProgram && language == CodeLanguage.PYTHON && function == null && !inner.isWrong("function")) {
            inner.problem("function", "`function` is missing; name one, or write `asProgram: true`.");
        }
        return new PromptCode(new Script(language, null, file, function), asProgram, CodeFields.config(inner));
    }

    /** The language that is written; null: none, or both. */
    private static @Nullable CodeLanguage language(FieldReader fields) {
        boolean isPython = fields.has(CodeLanguage.PYTHON.word());
        boolean isJavaScript = fields.has(CodeLanguage.JAVASCRIPT.word());
        return isPython == isJavaScript ? null : isPython ? CodeLanguage.PYTHON : CodeLanguage.JAVASCRIPT;
    }

    private static @Nullable Script inline(CodeLanguage language, FieldReader fields, @Nullable JsonNode code) {
        if (language == CodeLanguage.PYTHON || code == null || !code.isTextual()) {
            String found = code == null ? "nothing" : ActualValue.describe(code);
            fields.problem(
                    language.word(),
                    language == CodeLanguage.PYTHON
                            ? "A transform in Python stands in a file; write `python: {file: …}`."
                            : "`javascript` must be code or an object with `file`, but is " + found + ".");
            return null;
        }
        return new Script(language, code(fields, language.word()), null, null);
    }

    /** Code that is written as the text {@code name}. */
    static String code(FieldReader fields, String name) {
        String code = fields.text(name);
        if (code.codePointCount(0, code.length()) > ScriptRule.MAX_CODE) {
            fields.problem(name, "`" + name + "` has more than 100,000 characters; put the code in a `file`.");
        }
        return code;
    }

    /** The path of a file of code. */
    public static String file(CodeLanguage language, FieldReader fields) {
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

    /** The name of a function in a file; null: none is written. */
    public static @Nullable String function(CodeLanguage language, FieldReader fields) {
        if (!fields.hasValue("function")) {
            return null;
        }
        String name = fields.text("function");
        if (!fields.isWrong("function")
                && !requireNonNull(FUNCTIONS.get(language)).matcher(name).matches()) {
            fields.problem(
                    "function",
                    "`function` must be a name" + (language == CodeLanguage.PYTHON ? ", or Class.method." : "."));
        }
        return name;
    }
}
