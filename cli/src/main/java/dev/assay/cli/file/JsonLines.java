package dev.assay.cli.file;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import java.nio.file.Path;
import java.util.List;

/** Files with one JSON value in each line. */
final class JsonLines {

    private JsonLines() {}

    /** The values in order; blank lines are skipped. */
    static ArrayNode read(Path file) throws InputFile.Unreadable {
        ArrayNode values = Json.mapper().createArrayNode();
        List<String> lines = InputFile.text(file).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                try {
                    values.add(DocumentText.parseJsonOnly(lines.get(i)));
                } catch (AssayException e) {
                    throw new InputFile.Unreadable(file + ", line " + (i + 1) + " is not JSON: " + e.getMessage());
                }
            }
        }
        return values;
    }
}
