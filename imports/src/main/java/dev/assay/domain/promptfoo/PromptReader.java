package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.CsvRows;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.json.Json;
import dev.assay.domain.text.Excerpt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reader of {@code prompts}: texts, files, and conversations in JSON or YAML. */
final class PromptReader {

    private static final String FILE = "file://";
    private static final Set<String> TEXTS = Set.of("txt", "md", "j2", "json", "jsonl", "yaml", "yml", "csv");
    private static final Set<String> PROGRAMS =
            Set.of("js", "cjs", "mjs", "ts", "cts", "mts", "py", "sh", "rb", "exe", "bat");
    private static final Set<String> CHAT_ROLES = Set.of("system", "user", "assistant");

    private final SourceFiles files;
    private final CodeWriter code;
    private final ImportReport report;
    private final List<PromptColumn> columns = new ArrayList<>();

    PromptReader(SourceFiles files, ImportReport report) {
        this.files = files;
        this.code = new CodeWriter(files, report);
        this.report = report;
    }

    List<PromptColumn> read(@Nullable JsonNode prompts) {
        if (prompts == null || (prompts.isEmpty() && !prompts.isTextual())) {
            report.error("prompts", "`prompts` is missing; write at least one.");
        } else if (prompts.isArray()) {
            for (int i = 0; i < prompts.size(); i++) {
                readItem(prompts.get(i), DocumentPath.item("prompts", i));
            }
        } else if (prompts.isObject()) {
            prompts.properties().forEach(field -> {
                String path = DocumentPath.field("prompts", field.getKey());
                readText(field.getKey(), field.getValue().asText(), path);
            });
        } else {
            readItem(prompts, "prompts");
        }
        return columns;
    }

    private void readItem(JsonNode item, String path) {
        if (item.isTextual()) {
            readText(item.textValue(), null, path);
            return;
        }
        JsonNode raw = item.has("raw") ? item.path("raw") : item.path("id");
        if (!item.isObject() || !raw.isTextual()) {
            report.error(
                    path,
                    "`" + path + "` must be text or an object with `raw`, but is " + ActualValue.describe(item) + ".");
            return;
        }
        String label = item.path("label").isTextual() ? item.path("label").textValue() : null;
        int before = columns.size();
        readText(raw.textValue(), label, path);
        if (item.path("id").isTextual()) {
            columns.replaceAll(column -> columns.indexOf(column) < before
                    ? column
                    : named(column, item.path("id").textValue()));
        }
        for (int i = before; i < columns.size(); i++) {
            PromptColumn column = columns.get(i);
            if (column.isCode()) {
                column.template().elements().forEachRemaining(code -> {
                    if (item.hasNonNull("config")) {
                        ((ObjectNode) code).set("config", item.get("config"));
                    }
                });
            } else {
                reportForeign(item.path("config"), DocumentPath.field(path, "config"));
            }
            columns.set(
                    i, new PromptColumn(column.name(), column.names(), column.template(), item.path("config"), path));
        }
    }

    private void reportForeign(JsonNode config, String path) {
        config.properties().forEach(field -> {
            String name = field.getKey();
            if (!ModelSettings.isKnown(name, field.getValue())) {
                report.unmapped(
                        LostPart.SETTING,
                        DocumentPath.field(path, name),
                        "The setting `" + Excerpt.of(name, 100) + "` of a prompt has no counterpart.");
            }
        });
    }

    private static PromptColumn named(PromptColumn column, String id) {
        Set<String> names = new HashSet<>(column.names());
        names.add(id);
        return new PromptColumn(column.name(), names, column.template(), column.config(), column.path());
    }

    private void readText(String raw, @Nullable String label, String path) {
        CodeName code = raw.startsWith("exec:") ? null : CodeName.read(raw);
        if (code != null) {
            addCode(code, raw, label, path);
        } else if (raw.startsWith("exec:") || PROGRAMS.contains(extension(raw))) {
            report.unmapped(
                    LostPart.PROMPT, path, "A program that writes prompts cannot be imported; write the prompts out.");
        } else if (raw.startsWith("langfuse://") || raw.startsWith("portkey://") || raw.startsWith("helicone://")) {
            report.unmapped(LostPart.PROMPT, path, "Prompts of other services cannot be imported; write them out.");
        } else if (isFile(raw)) {
            readFiles(raw, label, path);
        } else {
            add(label == null ? raw : label, raw, label, path);
        }
    }

    private static boolean isFile(String raw) {
        return raw.startsWith(FILE)
                || (raw.indexOf('\n') < 0 && raw.indexOf("{{") < 0 && TEXTS.contains(extension(raw)));
    }

    private static String extension(String raw) {
        int dot = raw.lastIndexOf('.');
        String tail = dot < 0 ? "" : raw.substring(dot + 1);
        int function = tail.indexOf(':');
        return (function < 0 ? tail : tail.substring(0, function)).toLowerCase(Locale.ROOT);
    }

    private void readFiles(String raw, @Nullable String label, String path) {
        String pattern = raw.startsWith(FILE) ? raw.substring(FILE.length()) : raw;
        int before = columns.size();
        try {
            for (String file : files.matching(pattern)) {
                readFile(file, files.text(file), label, path);
            }
            if (columns.size() == before) {
                report.error(path, "There are no prompts in " + pattern + ".");
            }
        } catch (AssayException e) {
            report.error(path, e.failure().message());
        }
    }

    private void readFile(String file, String text, @Nullable String label, String path) {
        switch (extension(file)) {
            case "txt" -> pieces(text).forEach(piece -> add(file + ": " + piece, piece, orName(label, file), path));
            case "jsonl" ->
                text.lines()
                        .filter(line -> !line.isEmpty())
                        .forEach(line -> add(file + ": " + line, line, orName(label, file), path));
            case "yaml", "yml" -> add(file, Json.write(DocumentText.parse(text)), orName(label, file), path);
            case "csv" -> readCsv(file, text, label, path);
            case "json", "md", "j2" -> add(file, text, orName(label, file), path);
            default ->
                report.unmapped(LostPart.PROMPT, path, "Prompts in " + file + " cannot be imported; write them out.");
        }
    }

    private static String orName(@Nullable String label, String file) {
        return label == null ? file.substring(file.lastIndexOf('/') + 1) : label;
    }

    private void readCsv(String file, String text, @Nullable String label, String path) {
        for (ObjectNode row : CsvRows.read(text)) {
            String prompt = row.path("prompt").asText("");
            if (!prompt.isBlank()) {
                String name = row.path("label").asText("");
                add(file + ": " + prompt, prompt, name.isBlank() ? orName(label, file) : name, path);
            }
        }
    }

    /** A function of a file; a file of Python without one is a program. */
    private void addCode(CodeName code, String raw, @Nullable String label, String path) {
        ObjectNode template = this.code.file(code, path);
        if (template == null) {
            return;
        }
        if (code.function() == null && code.language() == CodeLanguage.PYTHON) {
            template.withObjectProperty(code.language().word()).put("asProgram", true);
        }
        String name = label == null ? raw.replaceFirst("^file://", "") : label;
        columns.add(new PromptColumn(name, Set.copyOf(List.of(name, raw)), template, MissingNode.getInstance(), path));
    }

    /** Lines of only {@code ---} stand between prompts. */
    private static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        StringBuilder piece = new StringBuilder();
        for (String line : text.split("\\r?\\n", -1)) {
            if (line.strip().equals("---")) {
                pieces.add(piece.toString().strip());
                piece.setLength(0);
            } else {
                piece.append(piece.isEmpty() ? "" : "\n").append(line);
            }
        }
        pieces.add(piece.toString().strip());
        pieces.removeIf(String::isEmpty);
        return pieces;
    }

    /** @param name short; null: its number among the prompts */
    private void add(String known, String raw, @Nullable String name, String path) {
        if (raw.isBlank()) {
            report.error(path, "The prompt is empty; write one.");
            return;
        }
        String number = "prompt-" + (columns.size() + 1);
        Set<String> names = name == null ? Set.of(known) : new HashSet<>(List.of(known, name));
        columns.add(new PromptColumn(
                name == null ? number : name, names, template(raw, path), MissingNode.getInstance(), path));
    }

    /** A list of messages is one; any other JSON is text, indented as promptfoo sends it. */
    private JsonNode template(String raw, String path) {
        JsonNode json;
        try {
            json = raw.stripLeading().startsWith("[") || raw.stripLeading().startsWith("{")
                    ? DocumentText.parseJsonOnly(raw)
                    : null;
        } catch (AssayException e) {
            json = null;
        }
        if (json == null || !json.isContainerNode()) {
            return TextNode.valueOf(raw);
        }
        boolean isChat = json.isArray() && !json.isEmpty();
        for (JsonNode message : json) {
            isChat &= message.path("role").isTextual() && message.has("content");
        }
        return isChat ? chat((ArrayNode) json, path) : TextNode.valueOf(Json.indented(json));
    }

    private JsonNode chat(ArrayNode messages, String path) {
        ArrayNode chat = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < messages.size(); i++) {
            JsonNode message = messages.get(i);
            String role = message.path("role").textValue();
            boolean isPlain = CHAT_ROLES.contains(role)
                    && message.path("content").isTextual()
                    && message.size() == 2
                    && (i == 0 || !role.equals("system"));
            if (!isPlain) {
                report.unmapped(
                        LostPart.SETTING,
                        path,
                        "Message " + (i + 1)
                                + " of the prompt is not a text of the user, the assistant or, first, the system.");
            } else {
                chat.addObject()
                        .put("role", role)
                        .put("content", message.path("content").textValue());
            }
        }
        if (chat.isEmpty() || !chat.get(chat.size() - 1).path("role").asText().equals("user")) {
            report.unmapped(LostPart.SETTING, path, "The prompt does not end on a message of the user.");
        }
        return chat;
    }
}
