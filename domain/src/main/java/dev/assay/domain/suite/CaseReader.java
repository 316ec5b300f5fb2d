package dev.assay.domain.suite;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.Checks;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.InnerPath;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.MessageReader;
import dev.assay.domain.message.Role;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reader of the cases of one suite, each id once. */
public final class CaseReader {

    /** The fields of a case. */
    public static final Fields FIELDS = Fields.of(
            "case",
            "id",
            "prompt",
            "prompts",
            "vars",
            "context",
            "checks",
            "threshold",
            "transform",
            "tags",
            "metadata",
            "workspaceSubdir");

    private static final int MAX_TAG = 128;

    private final Checks defaults;
    private final Map<String, String> pathOfId = new HashMap<>();

    /** A reader of cases that have nothing but their own checks. */
    public CaseReader() {
        this(new Checks(List.of()));
    }

    /** @param defaults added to every case, after its own */
    CaseReader(Checks defaults) {
        this.defaults = defaults;
    }

    /** Reads a case, and reports what is wrong. */
    public Case read(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
        String id = fields.id("id");
        String earlier = fields.isWrong("id") || !fields.has("id") ? null : pathOfId.putIfAbsent(id, path);
        if (earlier != null) {
            fields.problem(
                    "id",
                    "Case id `" + id + "` is already the id of `" + earlier + "`; give every case an id of its own.");
        }
        List<Message> prompts = casePrompts(fields);
        List<Message> context = fields.list("context", MessageReader::read);
        Map<String, JsonNode> vars = vars(fields);
        boolean isTemplated = fields.has("vars") && !fields.has("context");
        if (prompts.isEmpty() && !isTemplated && !fields.isWrong("prompts")) {
            checkContinueMode(fields, "prompt", "a `prompt`", context);
        }
        return new Case(
                id,
                new Question(prompts, context, vars),
                Checks.read(fields, defaults),
                fields.list("tags", TextRules.lineItem(MAX_TAG)),
                metadata(fields),
                workspaceSubdir(fields));
    }

    /** Values under the names by which templates know them; a null is a value. */
    private static Map<String, JsonNode> vars(FieldReader fields) {
        Map<String, JsonNode> vars = new LinkedHashMap<>();
        fields.entries("vars").forEach((name, value) -> vars.put(name, JsonNumbers.plain(value)));
        return vars;
    }

    private static @Nullable String workspaceSubdir(FieldReader fields) {
        String path = fields.hasValue("workspaceSubdir") ? fields.anyText("workspaceSubdir") : null;
        String wrong = path == null || fields.isWrong("workspaceSubdir") ? null : InnerPath.problem(path);
        if (wrong != null) {
            fields.problem("workspaceSubdir", "`workspaceSubdir` " + wrong + ".");
        }
        return path;
    }

    private static List<Message> casePrompts(FieldReader fields) {
        String prompt = fields.nullableText("prompt");
        if (prompt != null && fields.has("prompts")) {
            fields.problem("prompts", "Write either `prompt` or `prompts`, not both.");
        }
        return prompt == null ? prompts(fields) : List.of(Message.user(prompt));
    }

    /** Reads the field {@code prompts}: texts of the user and messages, of which the last is not the assistant's. */
    public static List<Message> prompts(FieldReader fields) {
        List<Message> prompts = fields.list("prompts", MessageReader::readPrompt);
        JsonNode written = fields.node("prompts");
        boolean isComplete = written != null && written.size() == prompts.size();
        if (isComplete && !prompts.isEmpty() && prompts.getLast().role() == Role.ASSISTANT) {
            fields.problem(
                    "prompts",
                    "`prompts` end on an assistant message; end them on what the model answers, such as a user"
                            + " message.");
        }
        return prompts;
    }

    /**
     * Checks a conversation that has no prompt: it must not be empty, nor end on an assistant message (docs/evaluations.md).
     *
     * @param fields has the field {@code context}, a list or an object with {@code messages}
     * @param promptField the field that was left out
     * @param prompt how errors advise to add it
     * @param context what {@code context} was read as
     */
    public static void checkContinueMode(FieldReader fields, String promptField, String prompt, List<Message> context) {
        JsonNode field = fields.node("context");
        JsonNode written = field == null || !field.isObject() ? field : field.get("messages");
        boolean isComplete = written != null && written.size() == context.size();
        if (written == null || (written.isArray() && written.isEmpty())) {
            fields.problem(
                    promptField,
                    "`" + promptField + "` is missing; write one, or a `context` that ends on a user message.");
        } else if (isComplete && !context.isEmpty() && context.getLast().role() == Role.ASSISTANT) {
            fields.problem(
                    "context",
                    "`context` ends on an assistant message; add " + prompt + ", or end it on a user message.");
        }
    }

    /** Texts, numbers and truth values, all kept as text. */
    private static Map<String, String> metadata(FieldReader fields) {
        JsonNode node = fields.node("metadata");
        if (node == null) {
            return Map.of();
        }
        if (!node.isObject()) {
            fields.problem("metadata", "`metadata` must be an object, but is " + ActualValue.describe(node) + ".");
            return Map.of();
        }
        Map<String, String> metadata = new LinkedHashMap<>();
        node.properties().forEach(field -> {
            String path = DocumentPath.field(fields.path("metadata"), field.getKey());
            String value = metadataValue(field.getValue());
            if (value == null) {
                String found = ActualValue.describe(field.getValue());
                fields.problems()
                        .add(path, "`" + path + "` must be text, a number, true or false, but is " + found + ".");
            } else {
                metadata.put(field.getKey(), value);
            }
        });
        return metadata;
    }

    private static @Nullable String metadataValue(JsonNode value) {
        if (value.isTextual() || value.isBoolean()) {
            return value.asText();
        }
        return value.isNumber() && JsonNumbers.isReadable(value)
                ? JsonNumbers.plain(value.decimalValue()).toPlainString()
                : null;
    }
}
