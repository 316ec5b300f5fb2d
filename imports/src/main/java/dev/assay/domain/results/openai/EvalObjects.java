package dev.assay.domain.results.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultFile;
import dev.assay.domain.results.source.ResultTokens;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The objects of the Evals API in saved files: alone, in lists, in pages, in wrappers, in any number of files. */
public final class EvalObjects {

    private static final String EVAL = "eval";
    private static final String RUN = "eval.run";
    private static final String ITEM = "eval.run.output_item";
    private static final Set<String> WORDS = Set.of(EVAL, RUN, ITEM);
    private static final Set<String> UNNEEDED = Set.of("data_source", "per_model_usage");

    private final Map<String, JsonNode> evals = new LinkedHashMap<>();
    private final Map<String, JsonNode> runs = new LinkedHashMap<>();
    private final Map<String, EvalItem> items = new LinkedHashMap<>();

    /** An object that is not read to its end. */
    private static final class Open {

        private final long from;
        private final int line;
        private final int column;
        private final int foundBefore;
        private @Nullable String word;

        Open(JsonParser parser, int foundBefore) {
            this.from = parser.currentTokenLocation().getByteOffset();
            this.line = parser.currentTokenLocation().getLineNr();
            this.column = parser.currentTokenLocation().getColumnNr();
            this.foundBefore = foundBefore;
        }
    }

    /** Looks through {@code files}, by their names. */
    public EvalObjects(List<ResultFile> files) {
        for (ResultFile file : files) {
            JsonText text = file.text();
            if (text != null) {
                List<JsonText> found = ResultTokens.read(text, parser -> objects(parser, text));
                found.forEach(this::add);
            }
        }
    }

    /** Whether there is any. */
    public boolean isEmpty() {
        return evals.isEmpty() && runs.isEmpty() && items.isEmpty();
    }

    /** The outermost objects of the API. */
    private static List<JsonText> objects(JsonParser parser, JsonText text) throws IOException {
        List<JsonText> found = new ArrayList<>();
        Deque<Open> open = new ArrayDeque<>();
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                open.push(new Open(parser, found.size()));
            } else if (token == JsonToken.END_OBJECT) {
                close(parser, text, open.pop(), found);
            } else if (token == JsonToken.VALUE_STRING && "object".equals(parser.currentName()) && !open.isEmpty()) {
                open.element().word = parser.getText();
            }
        }
        return found;
    }

    private static void close(JsonParser parser, JsonText text, Open object, List<JsonText> found) {
        if (object.word == null || !WORDS.contains(object.word)) {
            return;
        }
        // What is in it is a part of it.
        found.subList(object.foundBefore, found.size()).clear();
        long end = parser.currentLocation().getByteOffset();
        found.add(text.part(
                object.from,
                end - object.from,
                text.place() + ", from line " + object.line + ", column " + object.column));
    }

    private void add(JsonText text) {
        JsonNode object = ResultTokens.tree(text, UNNEEDED);
        JsonNode id = object.path("id");
        if (!id.isTextual()) {
            throw BadResults.at(text.place(), "The object has no `id`.");
        }
        switch (object.path("object").asText()) {
            case EVAL -> evals.put(id.asText(), object);
            case RUN -> runs.put(id.asText(), object);
            default -> items.put(id.asText(), EvalItem.of(object, text));
        }
    }

    Map<String, JsonNode> evals() {
        return evals;
    }

    Map<String, JsonNode> runs() {
        return runs;
    }

    List<EvalItem> items() {
        return List.copyOf(items.values());
    }
}
