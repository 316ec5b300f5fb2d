package dev.assay.domain.results.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.results.form.Neutral;
import dev.assay.domain.results.form.ScoreChecks;
import dev.assay.domain.results.form.Warnings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A sample of Inspect as a case and an outcome. */
final class InspectOutcome {

    /** Ours, by what Inspect calls it. */
    private static final Map<String, String> TOKENS = Map.of(
            "input", "input_tokens",
            "output", "output_tokens",
            "total", "total_tokens",
            "reasoning", "reasoning_tokens",
            "cacheRead", "input_tokens_cache_read",
            "cacheWrite", "input_tokens_cache_write");

    private final String model;
    private final String branch;
    private final ScoreChecks checks;
    private final Warnings warnings;
    private final SampleMessages messages;

    InspectOutcome(String model, String branch, ScoreChecks checks, Warnings warnings) {
        this.model = model;
        this.branch = branch;
        this.checks = checks;
        this.warnings = warnings;
        this.messages = new SampleMessages(warnings);
    }

    /** A sample with its attachments in their places. */
    JsonNode resolved(JsonNode sample) {
        ObjectNode resolved = JsonNodeFactory.instance.objectNode();
        JsonNode attachments = sample.path("attachments");
        sample.properties().forEach(field -> {
            boolean isText = List.of("input", "messages", "output", "target").contains(field.getKey());
            resolved.set(
                    field.getKey(),
                    isText ? SampleText.resolved(field.getValue(), attachments, warnings) : field.getValue());
        });
        return resolved;
    }

    /** A number that differs where other things are asked. Messages have ids of their own in each epoch. */
    int asked(JsonNode sample) {
        return messages.asked(sample.path("input")).hashCode();
    }

    ObjectNode suiteCase(String caseId, String originalId, JsonNode sample) {
        ObjectNode suiteCase = Neutral.newCase(caseId);
        Neutral.ask(suiteCase, messages.asked(sample.path("input")));
        Neutral.keep(suiteCase, sample.path("metadata"));
        Neutral.target(suiteCase, texts(sample.path("target")));
        ObjectNode metadata = suiteCase.withObjectProperty("metadata");
        if (sample.path("choices").isArray()) {
            metadata.put("choices", Json.write(texts(sample.path("choices"))));
        }
        if (!originalId.equals(caseId)) {
            metadata.put("originalId", originalId);
        }
        return suiteCase;
    }

    private static List<String> texts(JsonNode value) {
        List<String> texts = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(item -> texts.add(item.asText("")));
        } else if (value.isValueNode() && !value.isNull()) {
            texts.add(value.asText(""));
        }
        return texts;
    }

    ObjectNode outcome(String caseId, int epoch, JsonNode sample) {
        boolean isError = sample.path("error").isObject();
        boolean isLimit = !isError && sample.path("limit").isObject();
        ObjectNode outcome =
                Neutral.outcome(caseId, branch, epoch, isError ? "MODEL_ERROR" : isLimit ? "LIMIT" : "COMPLETED");
        if (isError) {
            Neutral.error(
                    outcome,
                    "IMPORTED_ERROR",
                    sample.path("error").path("message").asText(""));
        } else if (isLimit) {
            Neutral.error(
                    outcome, "BRANCH_LIMIT", sample.path("limit").path("type").asText(""));
        }
        outcome.put("response", messages.response(sample));
        outcome.set("messages", messages.all(sample.path("messages")));
        Neutral.text(
                outcome,
                "finishReason",
                sample.path("output").path("choices").path(0).path("stop_reason"));
        JsonNode served = sample.path("output").path("model");
        if (served.isTextual() && !served.asText().isBlank()) {
            outcome.putObject("served").put("model", served.asText());
        }
        if (sample.path("total_time").isNumber()) {
            outcome.put("latencyMs", Math.max(0, (long)
                    Math.rint(sample.path("total_time").doubleValue() * 1000)));
        }
        addUsage(outcome, sample.path("model_usage"));
        addChecks(outcome, sample);
        return outcome;
    }

    /** That of the branch's model; graders are no part of the branch. Where it is not named, all there is. */
    private void addUsage(ObjectNode outcome, JsonNode usage) {
        List<JsonNode> counted = new ArrayList<>();
        if (usage.has(model)) {
            counted.add(usage.get(model));
        } else {
            usage.forEach(counted::add);
        }
        if (counted.isEmpty()) {
            return;
        }
        ObjectNode sums = outcome.putObject("usage");
        TOKENS.forEach((ours, theirs) -> {
            boolean isSaid = counted.stream().anyMatch(one -> one.path(theirs).isIntegralNumber());
            if (isSaid) {
                sums.put(
                        ours,
                        counted.stream()
                                .mapToLong(one -> Math.max(0, one.path(theirs).asLong(0)))
                                .sum());
            }
        });
    }

    private void addChecks(ObjectNode outcome, JsonNode sample) {
        ArrayNode all = outcome.putArray("checks");
        String invalid = invalid(sample.path("invalidation"));
        sample.path("scores").properties().forEach(score -> {
            JsonNode value = score.getValue().path("value");
            String why = score.getValue().path("explanation").asText("");
            if (value.isObject()) {
                value.properties()
                        .forEach(part -> all.add(
                                checks.of(score.getKey() + "/" + part.getKey(), part.getValue(), why, invalid)));
            } else {
                all.add(checks.of(score.getKey(), value.isMissingNode() ? null : value, why, invalid));
            }
        });
        checks.decide(outcome);
    }

    private static @Nullable String invalid(JsonNode invalidation) {
        return invalidation.isObject() && !invalidation.isEmpty()
                ? "Declared invalid: " + invalidation.path("reason").asText("no reason is given")
                : null;
    }
}
