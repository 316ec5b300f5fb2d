package dev.assay.domain.campaignfile.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Problems;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The fields of a model, and the settings with which it is asked. */
final class ChoiceFields {

    static final List<String> NAMES = List.of("provider", "model", "thinking", "thinkingOptional", "parameters");

    private static final Map<String, Thinking> THINKING = Arrays.stream(Thinking.values())
            .collect(Collectors.toMap(Thinking::word, thinking -> thinking, (a, b) -> a, LinkedHashMap::new));

    private ChoiceFields() {}

    static ModelChoice read(FieldReader fields) {
        return new ModelChoice(
                fields.line("provider", 128),
                fields.line("model", 256),
                thinking(fields),
                fields.flag("thinkingOptional", false),
                ParametersReader.read(fields));
    }

    /** YAML 1.1 reads an unquoted {@code off} as false, so false means off. For {@code on} there is no sensible meaning. */
    private static Thinking thinking(FieldReader fields) {
        JsonNode node = fields.node("thinking");
        if (node == null || (node.isBoolean() && !node.booleanValue())) {
            return Thinking.OFF;
        }
        Thinking thinking = node.isTextual() ? THINKING.get(node.textValue()) : null;
        if (thinking == null) {
            String known = String.join(", ", THINKING.keySet());
            fields.problem(
                    "thinking",
                    "`thinking` must be one of " + known + ", but is " + ActualValue.describe(node) + "; choose one.");
        }
        return thinking == null ? Thinking.OFF : thinking;
    }

    /** Reports settings that mean nothing to embeddings. */
    static void checkEmbedding(ModelChoice choice, String path, Problems problems) {
        if (choice.thinking() != Thinking.OFF) {
            problems.add(
                    DocumentPath.field(path, "thinking"), "A model of embeddings does not think; remove `thinking`.");
        }
        if (!choice.parameters().isEmpty()) {
            problems.add(
                    DocumentPath.field(path, "parameters"), "A model of embeddings has no `parameters`; remove them.");
        }
    }
}
