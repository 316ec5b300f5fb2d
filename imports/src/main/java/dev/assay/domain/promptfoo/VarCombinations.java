package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A test whose vars are lists stands for one test of each combination of their items. */
final class VarCombinations {

    /** Of one test. */
    static final int MAX = 100_000;

    private static final String FILE = "file://";
    private static final Set<String> PROGRAMS = Set.of("js", "cjs", "mjs", "ts", "py");
    private static final Set<String> TEXTS = Set.of("txt", "md", "json", "jsonl", "csv", "html", "xml", "j2", "log");

    private final SourceFiles files;

    VarCombinations(SourceFiles files) {
        this.files = files;
    }

    /** A file that holds no text. */
    static final class Unmapped extends Exception {
        private static final long serialVersionUID = 1L;

        Unmapped(String message) {
            super(message);
        }
    }

    /**
     * The combinations in promptfoo's order: the last var changes fastest. Files are read.
     *
     * @param expands whether lists of texts are combined
     * @throws AssayException INVALID_INPUT when a file cannot be read, or there are more than {@value #MAX}
     */
    List<ObjectNode> of(ObjectNode vars, boolean expands) throws Unmapped {
        List<ObjectNode> combinations = List.of(JsonNodeFactory.instance.objectNode());
        for (Map.Entry<String, JsonNode> entry : vars.properties()) {
            List<JsonNode> values = values(entry.getValue(), expands);
            if ((long) combinations.size() * values.size() > MAX) {
                throw new AssayException(
                        ErrorCode.INVALID_INPUT, "The vars have more than " + MAX + " combinations; take some out.");
            }
            List<ObjectNode> next = new ArrayList<>(combinations.size() * values.size());
            for (ObjectNode combination : combinations) {
                for (JsonNode value : values) {
                    ObjectNode with = JsonNodeFactory.instance.objectNode();
                    with.setAll(combination);
                    with.set(entry.getKey(), value);
                    next.add(with);
                }
            }
            combinations = next;
        }
        return combinations;
    }

    private List<JsonNode> values(JsonNode value, boolean expands) throws Unmapped {
        boolean isList =
                expands && value.isArray() && !value.isEmpty() && value.get(0).isTextual();
        List<JsonNode> values = new ArrayList<>();
        for (JsonNode item : isList ? value : List.of(value)) {
            if (item.isTextual() && item.textValue().startsWith(FILE)) {
                for (String file : files.matching(item.textValue().substring(FILE.length()))) {
                    values.add(file(file));
                }
            } else {
                values.add(withoutLastLineEnd(item));
            }
        }
        return values;
    }

    private static JsonNode withoutLastLineEnd(JsonNode value) {
        return value.isTextual() && value.textValue().endsWith("\n")
                ? TextNode.valueOf(
                        value.textValue().substring(0, value.textValue().length() - 1))
                : value;
    }

    private JsonNode file(String name) throws Unmapped {
        String kind = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        if (PROGRAMS.contains(kind)) {
            throw new Unmapped("The var of the program " + name + " cannot be imported; write it out.");
        }
        if (kind.equals("yaml") || kind.equals("yml")) {
            return TextNode.valueOf(Json.write(DocumentText.parse(files.text(name))));
        }
        if (!TEXTS.contains(kind)) {
            throw new Unmapped("The file " + name + " holds no text; write the var out.");
        }
        return TextNode.valueOf(files.text(name).strip());
    }
}
