package dev.assay.domain.results.form;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.suite.TargetTexts;
import dev.assay.domain.text.Excerpt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of the neutral form. */
public final class Neutral {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_MODEL = 256;
    private static final int LONGEST_ID = 128;

    private Neutral() {}

    /** A header. */
    public static ObjectNode header(String tool, @Nullable String version, String name, int trials) {
        ObjectNode header = NODES.objectNode().put("tool", tool);
        if (version != null && !version.isBlank()) {
            header.put("toolVersion", line(version, LONGEST_MODEL));
        }
        return header.put("name", line(name, LONGEST_NAME)).put("trials", trials);
    }

    /** Adds a branch to a header. */
    public static ObjectNode branch(ObjectNode header, String id, String model) {
        return header.withArray("branches").addObject().put("id", id).put("model", line(model, LONGEST_MODEL));
    }

    /**
     * Adds a number of the tool's to a header.
     *
     * @param of what it counts, as {@link dev.assay.domain.results.Aggregate.Of} in lower case
     */
    public static ObjectNode aggregate(
            ObjectNode header, String metric, String branch, @Nullable Double theirs, String of) {
        return header.withArray("aggregates")
                .addObject()
                .put("metric", line(metric, 512))
                .put("branch", branch)
                .put("theirs", theirs == null || !Double.isFinite(theirs) ? null : theirs)
                .put("of", of);
    }

    /** A case; vars and metadata are added to it. */
    public static ObjectNode newCase(String id) {
        return NODES.objectNode().put("id", id);
    }

    /** The line of a case. */
    public static ObjectNode line(ObjectNode suiteCase) {
        ObjectNode line = NODES.objectNode();
        line.set("case", suiteCase);
        return line;
    }

    /**
     * Says what a case asks. Where that cannot be a conversation, it becomes a var.
     *
     * @param messages of the user and of the assistant; those of others are left out
     */
    public static void ask(ObjectNode suiteCase, List<ObjectNode> messages) {
        boolean isConversation = !messages.isEmpty()
                && !messages.getLast().path("role").asText().equals("assistant")
                && messages.stream().noneMatch(Neutral::isMute);
        if (isConversation) {
            ArrayNode prompts = suiteCase.putArray("prompts");
            messages.forEach(message ->
                    prompts.add(message.path("role").asText().equals("user") ? message.get("content") : message));
        } else {
            ArrayNode input = suiteCase.withObjectProperty("vars").putArray("input");
            messages.forEach(input::add);
        }
    }

    private static boolean isMute(ObjectNode message) {
        String role = message.path("role").asText();
        return !(role.equals("user") || role.equals("assistant"))
                || !message.path("content").isTextual()
                || message.path("content").textValue().isBlank();
    }

    /** A message of one text. */
    public static ObjectNode message(String role, String text) {
        return NODES.objectNode().put("role", role).put("content", text);
    }

    /** Adds what else a tool keeps with a case. A value that is no text, number or truth value is written as JSON. */
    public static void keep(ObjectNode suiteCase, JsonNode metadata) {
        ObjectNode kept = suiteCase.withObjectProperty("metadata");
        metadata.properties().forEach(field -> {
            JsonNode value = plain(field.getValue());
            if (!value.isNull()) {
                kept.set(field.getKey(), value.isContainerNode() ? NODES.textNode(Json.write(value)) : value);
            }
        });
    }

    /** Adds the texts that answers are compared with, those that are not blank. */
    public static void target(ObjectNode suiteCase, List<String> targets) {
        List<String> written =
                targets.stream().filter(target -> !target.isBlank()).toList();
        if (!written.isEmpty()) {
            suiteCase.withObjectProperty("metadata").put("target", TargetTexts.write(written));
        }
    }

    /** An outcome; what is known of it is added. */
    public static ObjectNode outcome(String caseId, String branchId, int trial, String status) {
        return NODES.objectNode()
                .put("caseId", caseId)
                .put("branchId", branchId)
                .put("trial", trial)
                .put("status", status);
    }

    /** Adds an error of the tool. */
    public static void error(ObjectNode outcome, String code, String message) {
        outcome.putObject("error")
                .put("code", code)
                .put("message", message.isBlank() ? "The tool says no more" : message);
    }

    /** Adds a text on one line; nothing where there is none. */
    public static void text(ObjectNode outcome, String field, JsonNode value) {
        if (value.isTextual()) {
            String text = value.textValue();
            outcome.put(field, text.isBlank() ? "" : line(text, LONGEST_MODEL));
        }
    }

    /** An id that may stand in a line: a long one is cut. */
    public static String id(String id) {
        return Excerpt.first(id, LONGEST_ID);
    }

    /** The same value in JSON, which knows no number that is not finite: null stands for it. */
    public static JsonNode plain(@Nullable JsonNode value) {
        if (value == null || (value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue()))) {
            return NODES.nullNode();
        }
        if (value.isArray()) {
            ArrayNode array = NODES.arrayNode();
            value.forEach(item -> array.add(plain(item)));
            return array;
        }
        if (value.isObject()) {
            ObjectNode object = NODES.objectNode();
            value.properties().forEach(field -> object.set(field.getKey(), plain(field.getValue())));
            return object;
        }
        return value;
    }

    /** A text on one line of at most {@code most} characters; a blank one becomes a hyphen. */
    public static String line(String text, int most) {
        String line = Excerpt.first(text.replaceAll("\\p{Cntrl}", " ").strip(), most);
        return line.isEmpty() ? "-" : line;
    }
}
