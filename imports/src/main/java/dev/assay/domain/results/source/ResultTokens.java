package dev.assay.domain.results.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;

/** Tokens of texts of JSON, as Python writes it: NaN and infinite numbers are read. What is wrong is an error with its place. */
public final class ResultTokens {

    /** The deepest nesting. */
    static final int DEEPEST = 500;

    /** The most that is kept of one value, in bytes: a sample without its events, a header. */
    static final long MOST_KEPT = 64L << 20;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength((int) MOST_KEPT)
                    .build())
            .build();

    private ResultTokens() {}

    /** Reads tokens. */
    @FunctionalInterface
    public interface Reading<T> {

        /** Reads from before the first token. */
        T read(JsonParser parser) throws IOException;
    }

    /**
     * Reads a text.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with the place, line and column of what is wrong
     */
    public static <T> T read(JsonText text, Reading<T> reading) {
        try (JsonParser parser = text.open()) {
            // A parser of another encoding knows no place in bytes.
            if (parser.currentLocation().getByteOffset() < 0) {
                throw new IOException("It is not UTF-8.");
            }
            return reading.read(parser);
        } catch (JsonProcessingException e) {
            throw BadResults.at(at(text.place(), e.getLocation()), sentence(e), e);
        } catch (IOException e) {
            throw BadResults.at(text.place(), e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }

    /** What makes the parsers of texts. */
    public static JsonFactory factory() {
        return FACTORY;
    }

    private static String at(String place, JsonLocation location) {
        return location == null
                ? place
                : place + ", line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static String sentence(JsonProcessingException e) {
        String message = e.getOriginalMessage();
        if (message.contains("UTF-8")) {
            return "It is not UTF-8.";
        }
        return message.contains("nesting depth")
                ? "It is nested deeper than " + DEEPEST + "."
                : "It is no JSON: " + message;
    }

    /**
     * The only value of a text.
     *
     * @param skipped names of fields that are left out
     */
    public static JsonNode tree(JsonText text, Set<String> skipped) {
        return read(text, parser -> {
            if (parser.nextToken() == null) {
                throw new IOException("It is empty.");
            }
            JsonNode tree = object(parser, skipped, text.place());
            if (parser.nextToken() != null) {
                throw new IOException("It has more than one value.");
            }
            return tree;
        });
    }

    /** The value at which {@code parser} stands. An object is without the fields that are {@code skipped}. */
    public static JsonNode object(JsonParser parser, Set<String> skipped, String place) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return value(parser, place);
        }
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            if (skipped.contains(name)) {
                parser.skipChildren();
            } else {
                object.set(name, value(parser, place));
            }
        }
        return object;
    }

    /** The value at which {@code parser} stands. */
    public static JsonNode value(JsonParser parser, String place) throws IOException {
        return value(parser, parser.currentLocation().getByteOffset() + MOST_KEPT, place);
    }

    private static JsonNode value(JsonParser parser, long until, String place) throws IOException {
        if (parser.currentLocation().getByteOffset() > until) {
            throw BadResults.at(place, "A value has more than " + MOST_KEPT + " bytes; that is too large to import.");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                ObjectNode object = NODES.objectNode();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.set(name, value(parser, until, place));
                }
                yield object;
            }
            case START_ARRAY -> {
                ArrayNode array = NODES.arrayNode();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser, until, place));
                }
                yield array;
            }
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? NODES.numberNode(parser.getBigIntegerValue())
                        : NODES.numberNode(parser.getLongValue());
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            case null, default -> throw new IOException("It is cut off.");
        };
    }

    /** The object or list at which {@code parser} stands, as a part of {@code text}; {@code parser} then stands at its end. */
    public static JsonText part(JsonParser parser, JsonText text) throws IOException {
        JsonLocation begin = parser.currentTokenLocation();
        parser.skipChildren();
        if (parser.currentToken() == null) {
            throw new IOException("It is cut off.");
        }
        long end = parser.currentLocation().getByteOffset();
        return text.part(
                begin.getByteOffset(),
                end - begin.getByteOffset(),
                text.place() + ", from line " + begin.getLineNr() + ", column " + begin.getColumnNr());
    }
}
