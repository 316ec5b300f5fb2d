package dev.assay.domain.results.lmeval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.results.form.ScoreChecks;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultTokens;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A line of samples.
 *
 * @param arguments of the requests, in their order
 */
record LmLine(JsonNode written, List<JsonNode> arguments) {

    private static final String ONLY_FILTER = "none";

    static LmLine of(JsonText text) {
        JsonNode line = ResultTokens.tree(text, Set.of("doc"));
        List<JsonNode> arguments = line.path("arguments").properties().stream()
                .sorted(Comparator.comparingInt(argument -> number(argument.getKey())))
                .map(Map.Entry::getValue)
                .toList();
        boolean isLine = line.hasNonNull("doc_id")
                && line.path("filter").isTextual()
                && line.path("metrics").isArray()
                && !arguments.isEmpty()
                && line.path("resps").isArray();
        if (!isLine) {
            throw BadResults.at(
                    text.place(), "A line of samples has `doc_id`, `filter`, `metrics`, `arguments` and `resps`.");
        }
        LmLine read = new LmLine(line, arguments);
        if (read.isChoice() && line.path("resps").size() != arguments.size()) {
            throw BadResults.at(text.place(), "There is not one of `resps` for each of `arguments`.");
        }
        return read;
    }

    private static int number(String name) {
        String digits = name.substring(name.lastIndexOf('_') + 1);
        return digits.matches("[0-9]{1,9}") ? Integer.parseInt(digits) : Integer.MAX_VALUE;
    }

    String documentId() {
        return written.path("doc_id").asText();
    }

    String filter() {
        return written.path("filter").asText();
    }

    String target() {
        return written.path("target").asText("");
    }

    String asked() {
        return arguments.getFirst().path("arg_0").asText("");
    }

    List<String> metrics() {
        List<String> metrics = new ArrayList<>();
        written.path("metrics").forEach(metric -> metrics.add(metric.asText()));
        return metrics;
    }

    /** Whether the model was not asked to write, but how likely each of several texts is. */
    private boolean isChoice() {
        return arguments.size() > 1
                && arguments.stream()
                        .allMatch(argument -> argument.path("arg_1").isTextual());
    }

    /** The texts among which the model chose; empty: it wrote. */
    List<String> choices() {
        return isChoice()
                ? arguments.stream()
                        .map(argument -> argument.path("arg_1").asText())
                        .toList()
                : List.of();
    }

    /** What the model wrote, each time that it was asked; or the likeliest text. */
    List<String> responses() {
        List<JsonNode> flat = new ArrayList<>();
        if (!isChoice()) {
            flatten(written.path("resps"), flat);
            return flat.stream().map(JsonNode::asText).toList();
        }
        int best = 0;
        for (int i = 1; i < arguments.size(); i++) {
            best = likelihood(i) > likelihood(best) ? i : best;
        }
        return List.of(arguments.get(best).path("arg_1").asText().strip());
    }

    private double likelihood(int choice) {
        List<JsonNode> flat = new ArrayList<>();
        flatten(written.path("resps").get(choice), flat);
        return flat.isEmpty() ? Double.NEGATIVE_INFINITY : flat.getFirst().asDouble(Double.NEGATIVE_INFINITY);
    }

    private static void flatten(JsonNode node, List<JsonNode> into) {
        if (node.isArray()) {
            node.forEach(item -> flatten(item, into));
        } else {
            into.add(node);
        }
    }

    /** What its metrics said. */
    List<ObjectNode> checks(ScoreChecks checks) {
        boolean isPlain = filter().equals(ONLY_FILTER);
        List<JsonNode> extracted = new ArrayList<>();
        flatten(written.path("filtered_resps"), extracted);
        String reason = isChoice() || isPlain || extracted.isEmpty()
                ? ""
                : "Extracted: " + extracted.getFirst().asText();
        return metrics().stream()
                .map(metric -> checks.of(isPlain ? metric : metric + "," + filter(), written.get(metric), reason, null))
                .toList();
    }
}
