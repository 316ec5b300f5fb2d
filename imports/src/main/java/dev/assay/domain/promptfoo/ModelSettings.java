package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.text.Excerpt;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings of models, which providers, prompts and options name alike, as parameters of a branch. */
final class ModelSettings {

    /** Our word by theirs. Each provider of promptfoo has its own. */
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("temperature", "temperature"),
            Map.entry("max_tokens", "maxOutputTokens"),
            Map.entry("max_completion_tokens", "maxOutputTokens"),
            Map.entry("max_output_tokens", "maxOutputTokens"),
            Map.entry("maxOutputTokens", "maxOutputTokens"),
            Map.entry("max_new_tokens", "maxOutputTokens"),
            Map.entry("max_tokens_to_sample", "maxOutputTokens"),
            Map.entry("max_gen_len", "maxOutputTokens"),
            Map.entry("maxTokenCount", "maxOutputTokens"),
            Map.entry("num_predict", "maxOutputTokens"),
            Map.entry("top_p", "topP"),
            Map.entry("topP", "topP"),
            Map.entry("seed", "seed"),
            Map.entry("random_seed", "seed"),
            Map.entry("stop", "stop"),
            Map.entry("stop_sequences", "stop"),
            Map.entry("stopSequences", "stop"),
            Map.entry("frequency_penalty", "frequencyPenalty"),
            Map.entry("presence_penalty", "presencePenalty"));

    /** Objects that hold such settings, of Google's and Amazon's models. */
    private static final Set<String> GROUPS = Set.of("generationConfig", "inferenceConfig", "textGenerationConfig");

    /** The same for the form of an answer, as Google's models name it. */
    private static final Set<String> MEDIA_TYPES = Set.of("responseMimeType", "response_mime_type");

    private static final String FORMAT = "response_format";

    /** The amounts of thinking, in words that both have. */
    private static final Set<String> EFFORTS = Set.of("minimal", "low", "medium", "high");

    /** Assay's operators set keys and prices. */
    private static final Set<String> WITHOUT_MEANING =
            Set.of("apiKey", "apiKeyEnvar", "cost", "inputCost", "outputCost");

    /** Where a model is asked, which decides nothing of its answer. */
    private static final Set<String> REGIONS = Set.of("region", "projectId");

    private final ImportReport report;

    ModelSettings(ImportReport report) {
        this.report = report;
    }

    /** Whether a setting of this name and value has a counterpart wherever it stands. */
    static boolean isKnown(String name, JsonNode value) {
        return WORDS.containsKey(name) || (name.equals(FORMAT) && (format(value) != null || isText(value)));
    }

    /** Puts those among {@code settings} that have one over those that a branch has. What is no model has none. */
    static void put(JsonNode settings, ObjectNode branch) {
        if (branch.has("provider")) {
            settings.properties().forEach(field -> put(field.getKey(), field.getValue(), branch));
        }
    }

    private static boolean put(String name, JsonNode value, ObjectNode branch) {
        String word = WORDS.get(name);
        JsonNode format = name.equals(FORMAT) ? format(value) : null;
        if (word != null && value.isArray() && value.isEmpty()) {
            // As if it were not written.
            return true;
        }
        if (word != null) {
            branch.withObjectProperty("parameters").set(word, value);
        } else if (format != null) {
            branch.withObjectProperty("parameters").set("responseFormat", format);
        } else if (name.equals(FORMAT) && isText(value)) {
            branch.withObjectProperty("parameters").remove("responseFormat");
        }
        return word != null || format != null;
    }

    private static boolean isText(JsonNode format) {
        return format.path("type").asText().equals("text");
    }

    /** The same in Assay's words; null: there are none for it. OpenAI's two APIs write a schema in two ways. */
    private static @Nullable JsonNode format(JsonNode value) {
        JsonNode described = value.path("json_schema").isObject() ? value.path("json_schema") : value;
        return switch (value.path("type").asText()) {
            case "json_object" -> TextNode.valueOf("json");
            case "json_schema" -> {
                ObjectNode format = JsonNodeFactory.instance.objectNode();
                if (described.has("name")) {
                    format.set("name", described.get("name"));
                }
                format.set("schema", described.path("schema"));
                format.put("strict", described.path("strict").asBoolean());
                yield described.path("schema").isObject() ? format : null;
            }
            default -> null;
        };
    }

    /** Puts the settings of a provider into its branch, and reports those that have no counterpart. */
    void read(JsonNode config, ObjectNode branch, String path) {
        config.properties().forEach(field -> read(field.getKey(), field.getValue(), branch, path));
    }

    private void read(String name, JsonNode value, ObjectNode branch, String path) {
        String at = DocumentPath.field(path, name);
        if (GROUPS.contains(name) && value.isObject()) {
            read(value, branch, at);
        } else if (put(name, value, branch) || putEffort(name, value, branch)) {
            return;
        } else if (MEDIA_TYPES.contains(name) && value.asText().equals("application/json")) {
            branch.withObjectProperty("parameters").put("responseFormat", "json");
        } else if ((name.equals(FORMAT) && isText(value))
                || (MEDIA_TYPES.contains(name) && value.asText().equals("text/plain"))) {
            report.note(at, "Left out: models write text anyway.");
        } else if (ProviderAddress.SETTINGS.contains(name)) {
            String model = branch.path("model").asText();
            report.unmapped(LostPart.SETTING, at, ProviderAddress.sentence(value.asText(), model));
        } else if (WITHOUT_MEANING.contains(name)) {
            report.note(at, "Left out: operators set keys and prices of providers.");
        } else if (REGIONS.contains(name)) {
            report.note(at, "Left out: operators say where providers are.");
        } else {
            report.unmapped(
                    LostPart.SETTING,
                    at,
                    "The setting `" + Excerpt.of(name, 100) + "` of a provider has no counterpart.");
        }
    }

    private static boolean putEffort(String name, JsonNode value, ObjectNode branch) {
        JsonNode effort = name.equals("reasoning") ? value.path("effort") : value;
        boolean isEffort = name.equals("reasoning_effort") || name.equals("reasoning");
        if (isEffort && EFFORTS.contains(effort.asText())) {
            branch.put("thinking", effort.asText());
            return true;
        }
        return false;
    }
}
