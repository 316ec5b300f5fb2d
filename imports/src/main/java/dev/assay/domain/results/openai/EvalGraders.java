package dev.assay.domain.results.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.results.form.Neutral;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The graders of an eval of OpenAI as a scoring file. What has no counterpart is named. */
public final class EvalGraders {

    private static final Map<String, String> OPERATIONS =
            Map.of("eq", "equals", "ne", "equals", "like", "contains", "ilike", "icontains");

    private static final Map<String, String> MEASURES =
            Map.of("bleu", "bleu", "gleu", "gleu", "rouge_1", "rouge-n", "rouge_2", "rouge-n", "rouge_3", "rouge-n");

    private static final Pattern OUTPUT = Pattern.compile("\\{\\{\\s*sample\\.output_text\\s*}}");
    private static final Pattern ITEM = Pattern.compile("\\{\\{\\s*item\\.([A-Za-z0-9_.-]{1,200})\\s*}}");

    private final JsonNode criteria;
    private final ImportReport report;

    private EvalGraders(JsonNode criteria, ImportReport report) {
        this.criteria = criteria;
        this.report = report;
    }

    /**
     * The scoring file of the only eval among {@code objects}; null: there is none.
     *
     * @param report learns what has no counterpart
     */
    public static @Nullable ObjectNode scoring(EvalObjects objects, ImportReport report) {
        if (objects.evals().size() != 1) {
            return null;
        }
        JsonNode eval = objects.evals().values().iterator().next();
        EvalGraders graders = new EvalGraders(eval.path("testing_criteria"), report);
        ObjectNode scoring = JsonNodeFactory.instance.objectNode();
        String name = eval.path("name").asText("");
        scoring.put("name", Neutral.line(name.isBlank() ? eval.path("id").asText("eval") : name, 200));
        if (objects.items().isEmpty()) {
            scoring.set("checks", graders.checks(null));
        } else {
            ArrayNode cases = scoring.putArray("cases");
            OpenAiResults.eachCase(objects, (id, item) -> {
                ObjectNode one = cases.addObject().put("id", id);
                one.set("checks", graders.checks(item));
            });
        }
        return scoring;
    }

    /** @param item fills templates; null: there is none */
    private ArrayNode checks(@Nullable JsonNode item) {
        ArrayNode checks = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < criteria.size(); i++) {
            JsonNode criterion = criteria.get(i);
            ObjectNode check = check(criterion, "testing_criteria[" + i + "]", item);
            if (check != null) {
                String name = criterion.path("name").asText("");
                checks.add(name.isBlank() ? check : check.put("metric", Neutral.line(name, 128)));
            }
        }
        return checks;
    }

    private @Nullable ObjectNode check(JsonNode criterion, String path, @Nullable JsonNode item) {
        String type = criterion.path("type").asText("");
        return switch (type) {
            case "string_check" ->
                text(
                        criterion,
                        path,
                        item,
                        OPERATIONS.get(criterion.path("operation").asText("")));
            case "text_similarity" -> similar(criterion, path, item);
            case "score_model", "label_model" -> rubric(criterion, path, item);
            default -> lost(path, "`" + type + "` has no counterpart; write own code.");
        };
    }

    private @Nullable ObjectNode lost(String path, String message) {
        report.unmapped(LostPart.CHECK, path, message);
        return null;
    }

    private @Nullable ObjectNode text(JsonNode criterion, String path, @Nullable JsonNode item, @Nullable String word) {
        String reference = filled(criterion.path("reference").asText(""), item);
        boolean isAnswer =
                OUTPUT.matcher(criterion.path("input").asText("").strip()).matches();
        if (word == null || !isAnswer || reference == null || reference.isEmpty()) {
            return lost(path, "It compares something else than the answer with a text of the item.");
        }
        ObjectNode check =
                JsonNodeFactory.instance.objectNode().put("type", word).put("value", reference);
        return criterion.path("operation").asText().equals("ne") ? check.put("not", true) : check;
    }

    private @Nullable ObjectNode similar(JsonNode criterion, String path, @Nullable JsonNode item) {
        String measure = criterion.path("evaluation_metric").asText("");
        if (!MEASURES.containsKey(measure)) {
            return lost(path, "The measure `" + measure + "` has no counterpart.");
        }
        ObjectNode check = text(criterion, path, item, MEASURES.get(measure));
        if (check != null && criterion.path("pass_threshold").isNumber()) {
            check.set("threshold", criterion.get("pass_threshold"));
        }
        return check;
    }

    private @Nullable ObjectNode rubric(JsonNode criterion, String path, @Nullable JsonNode item) {
        List<String> texts = new ArrayList<>();
        criterion.path("input").forEach(message -> {
            JsonNode content = message.path("content");
            texts.add(
                    content.isTextual()
                            ? content.asText()
                            : content.path("text").asText(""));
        });
        String asked = filled(OUTPUT.matcher(String.join("\n", texts)).replaceAll("the response"), item);
        if (asked == null || asked.isBlank()) {
            return lost(path, "Its template takes what is not in the item.");
        }
        ObjectNode check = JsonNodeFactory.instance.objectNode().put("type", "rubric");
        List<String> passing = new ArrayList<>();
        criterion.path("passing_labels").forEach(label -> passing.add(label.asText()));
        check.put("value", passing.isEmpty() ? asked : asked + "\nIt passes as: " + String.join(", ", passing));
        addThreshold(check, criterion);
        if (!criterion.path("model").asText("").isBlank()) {
            check.putObject("grader")
                    .put("provider", "openai")
                    .put("model", criterion.path("model").asText());
        }
        return check;
    }

    /** A score of another range becomes one from 0 to 1. */
    private static void addThreshold(ObjectNode check, JsonNode criterion) {
        double low = criterion.path("range").path(0).asDouble(0);
        double high = criterion.path("range").path(1).asDouble(1);
        JsonNode threshold = criterion.path("pass_threshold");
        if (threshold.isNumber() && high > low) {
            check.put("threshold", Math.clamp((threshold.doubleValue() - low) / (high - low), 0.0, 1.0));
        }
    }

    /** A template with the values of an item; null: it takes what is not there. */
    private static @Nullable String filled(String template, @Nullable JsonNode item) {
        Matcher places = ITEM.matcher(template);
        StringBuilder filled = new StringBuilder();
        while (places.find()) {
            JsonNode value = item;
            for (String name : places.group(1).split("\\.", -1)) {
                value = value == null ? null : value.get(name);
            }
            if (value == null || value.isContainerNode()) {
                return null;
            }
            places.appendReplacement(filled, Matcher.quoteReplacement(value.asText()));
        }
        places.appendTail(filled);
        return filled.indexOf("{{") >= 0 ? null : filled.toString();
    }
}
