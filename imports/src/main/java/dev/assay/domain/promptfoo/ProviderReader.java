package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reader of {@code providers}: echo, programs, addresses, and the models that Assay has a provider for. */
final class ProviderReader {

    private static final Set<String> KNOWN =
            Set.of("id", "label", "config", "prompts", "delay", "inputs", CodeWriter.TRANSFORM);

    private static final Pattern WORDS = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|(\\S+)");

    /** A file of providers. */
    private static final Pattern FILE = Pattern.compile("file://.+\\.(?:ya?ml|json)");

    /** Words before a model of embeddings. */
    private static final Set<String> EMBEDDINGS = Set.of("embedding", "embeddings");

    private final SourceFiles files;
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
        this.files = files;
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
        if (item.isTextual() && FILE.matcher(item.textValue()).matches()) {
            readFile(item.textValue().substring("file://".length()), path);
        } else if (item.isTextual()) {
            add(item.textValue(), item.textValue(), JsonNodeFactory.instance.objectNode(), path);
        } else if (item.isObject() && item.path("id").isTextual()) {
            add(item.path("id").textValue(), item.path("id").textValue(), item, path);
        } else if (item.isObject() && item.size() == 1 && item.elements().next().isObject()) {
            // The field is the provider; an `id` in it is only what it is called.
            Map.Entry<String, JsonNode> only = item.properties().iterator().next();
            String name = only.getValue().path("id").asText(only.getKey());
            add(only.getKey(), name, only.getValue(), DocumentPath.field(path, only.getKey()));
        } else {
            report.error(
                    path,
                    "`" + path + "` must be the id of a provider or an object with `id`, but is "
                            + ActualValue.describe(item) + ".");
        }
    }

    /** Reads a file that holds a provider, or a list of them. */
    private void readFile(String file, String path) {
        try {
            JsonNode tree = DocumentText.parse(files.text(file));
            for (int i = 0; i < (tree.isArray() ? tree.size() : 1); i++) {
                JsonNode item = tree.isArray() ? tree.get(i) : tree;
                String place = tree.isArray() ? DocumentPath.item(file, i) : file;
                if (item.path("id").isTextual()) {
                    readItem(item, place);
                } else {
                    report.error(place, "A provider in a file must be an object with `id`.");
                }
            }
        } catch (AssayException e) {
            report.error(path, e.failure().message());
        }
    }

    /** @param name what it is called where it has no label */
    private void add(String id, String name, JsonNode options, String path) {
        ObjectNode branch = branch(id, options.path("config"), path);
        options.fieldNames().forEachRemaining(field -> {
            if (!KNOWN.contains(field)) {
                report.unmapped(
                        LostPart.SETTING,
                        DocumentPath.field(path, field),
                        "`" + field + "` of a provider has no counterpart.");
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
            columns.add(new ProviderColumn(options.path("label").asText(name), branch, prompts, path));
        }
    }

    private void putTransform(JsonNode written, String path, ObjectNode branch) {
        if (part == LostPart.CHECK) {
            report.unmapped(LostPart.SETTING, path, "`transform` of a model that grades has no counterpart.");
            return;
        }
        ObjectNode transform = code.transform(written, LostPart.SETTING, path);
        if (branch.has(CodeWriter.TRANSFORM)) {
            report.unmapped(
                    LostPart.SETTING, path, "`transform` beside a `transformResponse` by code has no counterpart.");
        } else if (transform != null) {
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
        CodeName own = embeds ? null : CodeName.ofProvider(id);
        if (own != null) {
            return code.agent(own, config, path);
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
        if (provider == null || model.isBlank() || ProviderPrefix.KINDS.contains(model) || ProviderPrefix.isOther(id)) {
            report.unmapped(part, path, ProviderPrefix.unknown(id));
            return null;
        }
        if (hasKind && ProviderPrefix.COMPLETIONS.contains(parts[1])) {
            report.note(path, "The model is asked in a chat, not for the completion of a text.");
        }
        branch.put("provider", provider).put("model", model);
        new ModelSettings(report).read(config, branch, DocumentPath.field(path, "config"));
        return branch;
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
}
