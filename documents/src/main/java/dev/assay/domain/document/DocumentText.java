package dev.assay.domain.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.text.Excerpt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** From the text of a document, YAML 1.2 or JSON, to a tree. */
public final class DocumentText {

    /** Largest document, in bytes of UTF-8. */
    public static final int MAX_BYTES = 64 * 1024 * 1024;

    /** Values and names of the largest document. */
    public static final int MAX_NODES = 8_000_000;

    private static final Pattern JSON = Pattern.compile("\\s*[\\[{]");
    private static final Pattern JSON_OBJECT = Pattern.compile("\\s*\\{\\s*\"");

    private static final ObjectReader READER = Json.mapper()
            .readerFor(JsonNode.class)
            .with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private DocumentText() {}

    /**
     * Reads {@code text}.
     *
     * <p>YAML is read by the core schema of YAML 1.2: {@code off}, {@code yes} and {@code no} are texts, {@code true} and
     * {@code false} are not. Refused are tags, a second document, and a name that is given twice in one object. So is a document
     * whose aliases expand to more than 100,000 values.
     *
     * @throws AssayException MALFORMED_INPUT with line and column, from 1
     */
    public static JsonNode parse(String text) {
        return parse(text, () -> {});
    }

    /**
     * As {@link #parse(String)}.
     *
     * @param onStep called at every step while YAML is read, which takes longest; its exceptions end the reading
     * @throws AssayException MALFORMED_INPUT with line and column, from 1
     */
    public static JsonNode parse(String text, Runnable onStep) {
        JsonNode root = parseOrNull(text, onStep);
        if (root.isNull()) {
            throw empty();
        }
        return root;
    }

    /**
     * As {@link #parse(String)}, for a file that may be empty: then it is an object without fields.
     *
     * @throws AssayException MALFORMED_INPUT with line and column, from 1
     */
    public static JsonNode parseOptional(String text) {
        JsonNode root = parseOrNull(text, () -> {});
        return root.isNull() ? Json.mapper().createObjectNode() : root;
    }

    private static JsonNode parseOrNull(String text, Runnable onStep) {
        if (isLargerThan(text, MAX_BYTES)) {
            throw malformed("The document is larger than 64 MB; split it.");
        }
        String content = withoutMark(text);
        return JSON.matcher(content).lookingAt()
                ? parseJson(content, onStep)
                : YamlTree.read(content, MAX_NODES, onStep);
    }

    /** JSON first: it is faster, and not every JSON text is YAML that a parser takes. */
    private static JsonNode parseJson(String content, Runnable onStep) {
        try {
            return readJson(content);
        } catch (JsonProcessingException notJson) {
            try {
                return YamlTree.read(content, MAX_NODES, onStep);
            } catch (AssayException notYaml) {
                boolean meantAsJson = notJson instanceof JsonParseException
                        && JSON_OBJECT.matcher(content).lookingAt();
                throw meantAsJson ? malformed(notJson) : notYaml;
            }
        }
    }

    /**
     * Reads {@code text}, which must be JSON.
     *
     * @throws AssayException MALFORMED_INPUT with line and column, from 1
     */
    public static JsonNode parseJsonOnly(String text) {
        try {
            return readJson(withoutMark(text));
        } catch (JsonProcessingException e) {
            throw malformed(e);
        }
    }

    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static JsonNode readJson(String text) throws JsonProcessingException {
        if (text.length() > MAX_NODES) {
            // Each value takes a character, so only a long text can have too many. Counting first keeps its tree from
            // filling the memory.
            countNodes(text);
        }
        try {
            JsonNode root = tree(text);
            if (root.isMissingNode()) {
                throw empty();
            }
            return root;
        } catch (ArithmeticException | NumberFormatException unreadable) {
            throw malformed("A number in the document has too many digits; write another, or put it in quotes.");
        }
    }

    private static JsonNode tree(String text) throws JsonProcessingException {
        try (JsonParser parser = new HeedingParser(READER.createParser(text))) {
            JsonNode root = READER.readTree(parser);
            return root == null ? MissingNode.getInstance() : root;
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void countNodes(String text) throws JsonProcessingException {
        int nodes = 0;
        try (JsonParser parser = new HeedingParser(READER.createParser(text))) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                nodes += token.isStructEnd() ? 0 : 1;
                if (nodes > MAX_NODES) {
                    throw tooManyNodes();
                }
            }
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AssayException empty() {
        return malformed("The document is empty; write at least one field.");
    }

    static AssayException tooManyNodes() {
        return malformed("The document has more than 8,000,000 values and names; split it.");
    }

    private static AssayException malformed(JsonProcessingException error) {
        @Nullable JsonLocation location = error.getLocation();
        String message = Excerpt.of(error.getOriginalMessage(), 500)
                        .replaceAll(", from `[^`]*`", "")
                        .replaceFirst("[.\\s]+$", "")
                + ".";
        // Bounds of the parser, on depth and digits, come without a place.
        return location == null ? malformed(message) : malformed(location.getLineNr(), location.getColumnNr(), message);
    }

    static AssayException malformed(int line, int column, String message) {
        return malformed("Line " + line + ", column " + column + ": " + message);
    }

    static AssayException malformed(String message) {
        return new AssayException(ErrorCode.MALFORMED_INPUT, message);
    }

    private static boolean isLargerThan(String text, int maxBytes) {
        if (text.length() > maxBytes) {
            return true;
        }
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            bytes += bytes(text.charAt(i)) - 1;
        }
        return bytes > maxBytes;
    }

    /** Bytes of UTF-8: two from U+0080; three from U+0800; a surrogate pair has four, two for each half. */
    static int bytes(char unit) {
        return unit < 0x80 ? 1 : unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
    }
}
