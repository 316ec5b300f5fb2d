package dev.assay.domain.markup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.assay.domain.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JSON objects that stand somewhere in a text, such as in a code block or in a sentence. Comments, single quotes, names without
 * quotes, trailing commas, and closing braces that are missing at the end are let through.
 */
public final class EmbeddedJson {

    /** Longest object, in characters. */
    private static final int LONGEST = 100_000;

    /** Characters that are read, objects that are begun inside of others counted again. */
    private static final int MOST_READ = 20_000_000;

    private static final ObjectReader READER = Json.mapper()
            .readerFor(JsonNode.class)
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .withFeatures(
                    JsonReadFeature.ALLOW_JAVA_COMMENTS,
                    JsonReadFeature.ALLOW_SINGLE_QUOTES,
                    JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES,
                    JsonReadFeature.ALLOW_TRAILING_COMMA);

    private final String text;
    private int read;

    private EmbeddedJson(String text) {
        this.text = text;
    }

    /** The objects in order, none inside of another; nothing when that takes too long. */
    public static Optional<List<JsonNode>> objects(String text) {
        return Optional.ofNullable(new EmbeddedJson(text).all());
    }

    private @Nullable List<JsonNode> all() {
        List<JsonNode> found = new ArrayList<>();
        int from = text.indexOf('{');
        while (from >= 0) {
            int to = end(from);
            if (read > MOST_READ) {
                return null;
            }
            JsonNode object = object(from, to);
            if (object != null) {
                found.add(object);
            }
            from = text.indexOf('{', object == null ? from + 1 : to);
        }
        return found;
    }

    /** Past the brace that closes the one at {@code from}; else the end of the text, or of the longest object. */
    private int end(int from) {
        int limit = (int) Math.min((long) from + LONGEST, text.length());
        int open = 0;
        int at = from;
        do {
            char c = text.charAt(at++);
            open += c == '{' ? 1 : c == '}' ? -1 : 0;
        } while (open > 0 && at < limit);
        read += at - from;
        return at;
    }

    private @Nullable JsonNode object(int from, int to) {
        String written = text.substring(from, to);
        long open = written.chars().filter(c -> c == '{').count()
                - written.chars().filter(c -> c == '}').count();
        try {
            JsonNode node = READER.readTree(written + "}".repeat((int) open));
            return node.isObject() ? node : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }
}
