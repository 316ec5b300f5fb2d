package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reader of {@code providers}: echo, programs, addresses, and the models that Assay has a provider for. */
final class ProviderReader {

    /** The amounts of thinking, in words that both have. */
    private static final Set<String> EFFORTS = Set.of("minimal", "low", "medium", "high");

    /** Assay's operators set keys and prices. */
    private static final Set<String> WITHOUT_MEANING =
            Set.of("apiKey", "apiKeyEnvar", "cost", "inputCost", "outputCost");

    private static final Set<String> KNOWN =
            Set.of("id", "label", "config", "prompts", "delay", "inputs", CodeWriter.TRANSFORM);

    private static final Pattern WORDS = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|(\\S+)");

    /** Words before a model of embeddings. */
    private static final Set<String> EMBEDDINGS = Set.of("embedding", "embeddings");

    /** Settings of where a provider is; an operator's file says that. */
    private static final Set<String> ADDRESSES = Set.of("apiBaseUrl", "apiHost", "baseUrl", "baseURL");

    /** An address without user and password. */
    private static final Pattern SHOWN = Pattern.compile("https?://[A-Za-z0-9._:/-]{1,200}");

    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9-]{1,40}");

    /** Words before a colon that name no server. */
    private static final Set<String> OTHERS = Set.of("file", "package", "python", "javascript", "golang", "webhook");

    private final CodeWriter code;
    private final ImportReport report;
    private final Set<String> configured;
    private final LostPart part;
    private final boolean embeds;
    private final List<ProviderColumn> columns = new ArrayList<>();

    /** @param configured the providers that the operator has named */
    ProviderReader(SourceFiles files, ImportReport report, Set<String> configured) {
        this(files, report, configured, LostPart.PROVIDER, false);
    }

    private ProviderReader(
            SourceFiles files, ImportReport report, Set<String> configured, LostPart part, boolean embeds) {
        this.code = new CodeWriter(files, report);
        this.part = part;
        this.report = report;
        this.configured = configured;
        this.embeds = embeds;
    }

    /**
     * Reads the models that decide a check, which is lost with them.
     *
     * @param embeds whether they compute embeddings, and answer nothing
     */
    static ProviderReader ofGraders(SourceFiles files, ImportReport report, Set<String> configured, boolean embeds) {
        return new ProviderReader(files, report, configured, LostPart.CHECK, embeds);
    }

    /** @param field {@code providers}, or {@code targets}, as the document has it */
    List<ProviderColumn> read(@Nullable JsonNode providers, String field) {
        if (providers == null || (providers.isEmpty() && !providers.isTextual())) {
            report.error(field, "`" + field + "` is missing; write at least one.");
        } else if (providers.isArray()) {
            for (int i = 0; i < providers.size(); i++) {
                readItem(providers.get(i), DocumentPath.item(field, i));
            }
        } else {
            readItem(providers, field);
        }
        return columns;
    }

    private void readItem(JsonNode item, String path) {
        if (item.isTextual()) {
            add(item.textValue(), JsonNodeFactory.instance.objectNode(), path);
        } else if (item.isObject() && item.path("id").isTextual()) {
            add(item.path("id").textValue(), item, path);
        } else if (item.isObject() && item.size() == 1 && item.elements().next().isObject()) {
            Map.Entry<String, JsonNode> only = item.properties().iterator().next();
            String id = only.getValue().path("id").asText(only.getKey());
            add(id, only.getValue(), DocumentPath.field(path, only.getKey()));
        } else {
            report.error(
                    path,
                    "`" + path + "` must be the id of a provider or an object with `id`, but is "
                            + ActualValue.describe(item) + ".");
        }
    }

    private void add(String id, JsonNode options, String path) {
        ObjectNode branch = branch(id, options.path("config"), path);
        options.fieldNames().forEachRemaining(name -> {
            if (!KNOWN.contains(name)) {
                report.unmapped(
                        LostPart.SETTING,
                        DocumentPath.field(path, name),
                        "`" + name + "` of a provider has no counterpart.");
            }
        });
        if (options.has("delay")) {
            report.note(DocumentPath.field(path, "delay"), "Left out: operators limit the rate of providers.");
        }
        if (branch != null && options.hasNonNull(CodeWriter.TRANSFORM)) {
            putTransform(options.get(CodeWriter.TRANSFORM), DocumentPath.field(path, CodeWriter.TRANSFORM), branch);
        }
        if (branch != null) {
            List<String> prompts = new ArrayList<>();
            options.path("prompts").forEach(prompt -> prompts.add(prompt.asText()));
            columns.add(new ProviderColumn(options.path("label").asText(id), branch, prompts));
        }
    }

    private void putTransform(JsonNode written, String path, ObjectNode branch) {
        if (part == LostPart.CHECK) {
            report.unmapped(LostPart.SETTING, path, "`transform` of a model that grades has no counterpart.");
            return;
        }
        ObjectNode transform = code.transform(written, LostPart.SETTING, path);
        if (transform != null) {
            branch.set(CodeWriter.TRANSFORM, transform);
        }
    }

    private @Nullable ObjectNode branch(String id, JsonNode config, String path) {
        ObjectNode branch = JsonNodeFactory.instance.objectNode();
        if (!embeds && id.equals("echo")) {
            branch.put("kind", "scripted").putObject("script").put("echo", true);
            return branch;
        }
        if (!embeds && id.startsWith("exec:")) {
            return program(id.substring("exec:".length()), branch);
        }
        if (!embeds && HttpProviderReader.isMeant(id)) {
            return new HttpProviderReader(report, DocumentPath.field(path, "config")).read(id, config);
        }
        String[] parts = id.split(":", 3);
        String provider = ProviderPrefix.provider(parts[0], configured);
        boolean isEmbedding = parts.length == 3 && EMBEDDINGS.contains(parts[1]);
        if (isEmbedding != embeds) {
            report.unmapped(
                    part,
                    path,
                    "`" + Excerpt.of(id, 100)
                            + (embeds
                                    ? "` computes no embeddings; write one such as"
                                            + " `openai:embedding:text-embedding-3-small`."
                                    : "` computes embeddings, and answers nothing."));
            return null;
        }
        boolean hasKind = isEmbedding || (parts.length == 3 && ProviderPrefix.KINDS.contains(parts[1]));
        String model = hasKind ? parts[2] : id.substring(Math.min(id.length(), parts[0].length() + 1));
        if (provider == null || model.isBlank() || ProviderPrefix.KINDS.contains(model) || ProviderPrefix.isAgent(id)) {
            report.unmapped(part, path, unknown(id, parts));
            return null;
        }
        if (hasKind && ProviderPrefix.COMPLETIONS.contains(parts[1])) {
            report.note(path, "The model is asked in a chat, not for the completion of a text.");
        }
        branch.put("provider", provider).put("model", model);
        readConfig(config, branch, DocumentPath.field(path, "config"));
        return branch;
    }

    private static String unknown(String id, String[] parts) {
        String shown = "`" + Excerpt.of(id, 100) + "`";
        if (ProviderPrefix.isAgent(id)) {
            return shown
                    + " is an agent, no model. Write a campaign file with a branch of `kind: command`, whose `command`"
                    + " starts the agent.";
        }
        String sentence = "There is no counterpart of the provider " + shown + ".";
        boolean maybeServer = parts.length > 1
                && WORD.matcher(parts[0]).matches()
                && !OTHERS.contains(parts[0])
                && !ProviderPrefix.KINDS.contains(parts[1]);
        return maybeServer
                ? sentence + " If it speaks OpenAI's API, write into providers.yaml: "
                        + entry(parts[0], "https://HOST/v1") + "."
                : sentence;
    }

    private static String entry(String name, String url) {
        String variable = name.toUpperCase(Locale.ROOT).replace('-', '_') + "_API_KEY";
        return "`providers: {" + name + ": {type: openai, baseUrl: \"" + url + "\", keyVariable: " + variable + "}}`";
    }

    /** promptfoo gives a program the prompt as its first argument, before two that only promptfoo's own programs read. */
    private static ObjectNode program(String line, ObjectNode branch) {
        branch.put("kind", "command");
        var command = branch.putArray("command");
        Matcher words = WORDS.matcher(line);
        while (words.find()) {
            String quoted = words.group(1) == null ? words.group(2) : words.group(1);
            command.add(quoted == null ? words.group(3) : quoted);
        }
        command.add("{{prompt}}");
        branch.put("workspace", ".").put("output", "text");
        return branch;
    }

    /** The same in Assay's words; null: there are none for it. OpenAI's two APIs write a schema in two ways. */
    private static @Nullable JsonNode responseFormat(JsonNode value) {
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

    private void readConfig(JsonNode config, ObjectNode branch, String path) {
        config.properties().forEach(field -> {
            String name = field.getKey();
            String at = DocumentPath.field(path, name);
            JsonNode value = field.getValue();
            JsonNode effort = name.equals("reasoning") ? value.path("effort") : value;
            boolean isEffort = name.equals("reasoning_effort") || name.equals("reasoning");
            boolean isFormat = name.equals("response_format");
            JsonNode format = isFormat ? responseFormat(value) : null;
            if (Parameters.WORDS.containsKey(name)) {
                branch.withObjectProperty("parameters").set(Parameters.WORDS.get(name), value);
            } else if (isEffort && EFFORTS.contains(effort.asText())) {
                branch.put("thinking", effort.asText());
            } else if (format != null) {
                branch.withObjectProperty("parameters").set("responseFormat", format);
            } else if (isFormat && value.path("type").asText().equals("text")) {
                report.note(at, "Left out: models write text anyway.");
            } else if (ADDRESSES.contains(name)) {
                String url = SHOWN.matcher(value.asText()).matches() ? value.asText() : "https://HOST/v1";
                report.unmapped(
                        LostPart.SETTING,
                        at,
                        "Operators say where providers are. Write into providers.yaml: " + entry("my-server", url)
                                + ", and ask `my-server:"
                                + Excerpt.of(branch.path("model").asText(), 100) + "`.");
            } else if (WITHOUT_MEANING.contains(name)) {
                report.note(at, "Left out: operators set keys and prices of providers.");
            } else {
                report.unmapped(
                        LostPart.SETTING,
                        at,
                        "The setting `" + Excerpt.of(name, 100) + "` of a provider has no counterpart.");
            }
        });
    }
}
