package dev.assay.domain.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import java.util.regex.Pattern;

/** From the text of a document, YAML 1.2 or JSON, to a tree. */
public final class DocumentText {

    /** Largest document, in bytes of UTF-8. */
    public static final int MAX_BYTES = 64 * 1024 * 1024;

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
     * {@code false} are not. Tags, a second document and a name that is given twice in one object are refused, as is a
     * document whose aliases expand to more than 100,000 values.
     *
     * @throws AssayException MALFORMED_INPUT with line and column, from 1
     */
    public static JsonNode parse(String text) {
        if (isLargerThan(text, MAX_BYTES)) {
            throw malformed("The document is larger than 64 MB; split it.");
        }
        String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
        return JSON.matcher(content).lookingAt() ? parseJson(content) : YamlTree.read(content);
    }

    /** JSON first: it is faster, and not every JSON text is YAML that a parser takes. */
    private static JsonNode parseJson(String content) {
        try {
            return READER.readTree(content);
        } catch (JsonProcessingException notJson) {
            try {
                return YamlTree.read(content);
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
            return READER.readTree(text);
        } catch (JsonProcessingException e) {
            throw malformed(e);
        }
    }

    private static AssayException malformed(JsonProcessingException error) {
        JsonLocation location = error.getLocation();
        String message = error.getOriginalMessage().replaceFirst("[.\\s]+$", "");
        return malformed(location.getLineNr(), location.getColumnNr(), message + ".");
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
            char unit = text.charAt(i);
            // Two bytes from U+0080; three from U+0800; a surrogate pair has four, two for each half.
            bytes += unit < 0x80 ? 0 : unit < 0x800 || Character.isSurrogate(unit) ? 1 : 2;
        }
        return bytes > maxBytes;
    }
}
