package dev.assay.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import java.nio.file.Path;

/** Suite files: a list of cases, or an object with cases, in YAML or JSON; or JSON Lines, one case in each line. */
final class SuiteFile {

    private SuiteFile() {}

    /** The suite as the API takes it. A list has no name of its own, and gets the file's. */
    static JsonNode read(Path file) throws InputFile.Unreadable {
        String fileName = String.valueOf(file.getFileName());
        if (fileName.endsWith(".jsonl")) {
            return named(fileName, JsonLines.read(file));
        }
        try {
            JsonNode tree = DocumentText.parse(InputFile.text(file));
            if (!tree.isArray() && !tree.isObject()) {
                throw new InputFile.Unreadable(file + " must hold a list of cases, or an object with `cases`.");
            }
            return tree.isArray() ? named(fileName, tree) : tree;
        } catch (AssayException e) {
            throw new InputFile.Unreadable(file + " is neither YAML nor JSON: " + e.getMessage());
        }
    }

    private static ObjectNode named(String fileName, JsonNode cases) {
        int dot = fileName.lastIndexOf('.');
        ObjectNode suite = Json.mapper().createObjectNode();
        suite.put("name", dot > 0 ? fileName.substring(0, dot) : fileName);
        suite.set("cases", cases);
        return suite;
    }
}
