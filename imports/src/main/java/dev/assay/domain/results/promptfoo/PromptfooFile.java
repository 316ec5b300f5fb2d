package dev.assay.domain.results.promptfoo;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.results.form.Neutral;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultTokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A file of results, looked through once: what surrounds the rows, and where each of them stands. */
final class PromptfooFile {

    private static final int VERSION = 3;
    private static final Set<String> UNNEEDED = Set.of("vars", "runtimeOptions", "traces");
    private static final List<String> OF_TEST =
            List.of("description", "vars", "assert", "threshold", "options", "metadata");

    private final JsonText text;
    private final ObjectNode document = JsonNodeFactory.instance.objectNode();
    private final List<PromptfooRow> rows = new ArrayList<>();

    PromptfooFile(JsonText text) {
        this.text = text;
        ResultTokens.read(text, parser -> {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("It is no object.");
            }
            fields(parser, document, true);
            return document;
        });
        JsonNode version = results().path("version");
        if (!version.isIntegralNumber() || version.asInt() != VERSION) {
            throw BadResults.at(
                    text.place(),
                    "`results.version` is " + (version.isMissingNode() ? "missing" : version) + ", and " + VERSION
                            + " is read; write the file with a newer promptfoo.");
        }
    }

    private void fields(JsonParser parser, ObjectNode into, boolean isRoot) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (isRoot && name.equals("results") && value == JsonToken.START_OBJECT) {
                fields(parser, into.putObject(name), false);
            } else if (!isRoot && name.equals("results") && value == JsonToken.START_ARRAY) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    rows.add(row(ResultTokens.part(parser, text)));
                }
            } else if (isRoot && UNNEEDED.contains(name)) {
                parser.skipChildren();
            } else {
                into.set(name, ResultTokens.value(parser, text.place()));
            }
        }
    }

    private static PromptfooRow row(JsonText text) {
        JsonNode row = ResultTokens.tree(text, Set.of());
        boolean isRow = row.path("testIdx").canConvertToInt()
                && row.path("promptIdx").canConvertToInt()
                && row.path("testCase").isObject();
        if (!isRow) {
            throw BadResults.at(text.place(), "A row of results has `testIdx`, `promptIdx` and `testCase`.");
        }
        ObjectNode test = JsonNodeFactory.instance.objectNode();
        OF_TEST.forEach(
                name -> test.set(name, Neutral.plain(row.path("testCase").get(name))));
        return new PromptfooRow(
                row.path("testIdx").asInt(),
                row.path("promptIdx").asInt(),
                RequestKey.sha256(RequestKey.canonical(test)),
                text);
    }

    /** The document without its rows. */
    ObjectNode document() {
        return document;
    }

    JsonNode results() {
        return document.path("results");
    }

    /** The rows in the order of the file. */
    List<PromptfooRow> rows() {
        return rows;
    }
}
