package dev.assay.domain.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.structure.JsonRule;
import dev.assay.domain.json.Json;
import dev.assay.domain.text.CodeBlock;
import dev.assay.domain.text.Reasoning;
import java.util.ArrayList;
import java.util.List;

/** A judge's reply as a JSON object: why, how good each response is, and which is best. */
public sealed interface StructuredReply {

    /** The best score. */
    int MAX_SCORE = 10;

    /**
     * A reply that is valid.
     *
     * @param index of the best response, 0-based into the responses that were shown
     * @param scores of each response, in the order shown, 0–{@value #MAX_SCORE}
     */
    record Valid(int index, List<Double> scores, String reason) implements StructuredReply {

        public Valid {
            scores = List.copyOf(scores);
        }
    }

    /**
     * A reply that is not valid.
     *
     * @param problem what is wrong with it, a sentence
     */
    record Invalid(String problem) implements StructuredReply {}

    /** The JSON Schema of a reply about {@code responses} responses, at least 1. The reason comes first: think, then choose. */
    static JsonNode schema(int responses) {
        ObjectNode schema = Json.mapper().createObjectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        properties
                .putObject("reason")
                .put("type", "string")
                .put("minLength", 1)
                .put("description", "why, in a sentence or two");
        properties
                .putObject("scores")
                .put("type", "array")
                .put("minItems", responses)
                .put("maxItems", responses)
                .put("description", "how good each response is, in the order shown")
                .putObject("items")
                .put("type", "number")
                .put("minimum", 0)
                .put("maximum", MAX_SCORE);
        properties
                .putObject("choice")
                .put("type", "integer")
                .put("minimum", 1)
                .put("maximum", responses)
                .put("description", "the number of the best response");
        schema.putArray("required").add("reason").add("scores").add("choice");
        return schema.put("additionalProperties", false);
    }

    /**
     * Reads a reply behind its reasoning. White space around the object, and a Markdown code block around it, do not count.
     *
     * @param responses how many responses were shown, at least 1
     */
    static StructuredReply read(String reply, int responses) {
        String text = CodeBlock.unwrapped(Reasoning.behind(reply).orElse(reply));
        Finding checked = new JsonRule(schema(responses)).find(CheckInput.of(text));
        if (checked.status() != CheckResult.Status.PASSED) {
            return new Invalid(checked.reason());
        }
        JsonNode object = Json.tree(text);
        List<Double> scores = new ArrayList<>();
        object.get("scores").forEach(score -> scores.add(score.doubleValue()));
        return new Valid(
                object.get("choice").intValue() - 1,
                scores,
                object.get("reason").textValue());
    }
}
