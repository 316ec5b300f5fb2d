package dev.assay.activities.proxy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.provider.wire.AnthropicUsage;
import dev.assay.activities.provider.wire.OpenAiUsage;
import dev.assay.domain.usage.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The usage that an answer reports. It is found while the answer is passed on; nothing else of it is kept. */
final class AnswerUsage {

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    /** Bytes of an event. A longer one is passed on and not looked at. */
    private static final int MAX_EVENT = 4 * 1024 * 1024;

    private static final int PIECE = 16 * 1024;

    /** Numbers of a usage: far more than any provider reports. */
    private static final int MAX_NUMBERS = 64;

    private static final String USAGE = "usage";
    private static final String OUTPUT = "output_tokens";

    /** The fields of a stream's events that hold an answer. */
    private static final Set<String> ANSWERS = Set.of("response", "message");

    /** The types of the events that end a stream. */
    private static final Set<String> ENDS =
            Set.of("message_stop", "response.completed", "response.incomplete", "response.failed");

    private final Route route;
    private ObjectNode reported = JsonNodeFactory.instance.objectNode();
    private boolean isComplete;

    AnswerUsage(Route route) {
        this.route = route;
    }

    /** Whether the stream has said that it is at its end, be it that bytes follow. */
    boolean isComplete() {
        return isComplete;
    }

    /** Reads an answer that is one JSON document to its end. */
    void whole(InputStream answer) throws IOException {
        try (JsonParser parser = JSON.createParser(answer)) {
            parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
            walk(parser);
        } catch (JsonProcessingException _) {
            // No JSON reports no usage; it is passed on all the same.
            reported.removeAll();
        }
        answer.transferTo(OutputStream.nullOutputStream());
        isComplete = true;
    }

    /** Reads a stream of events to its end. */
    void events(InputStream answer) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] piece = new byte[PIECE];
        for (int count = answer.read(piece); count >= 0; count = answer.read(piece)) {
            for (int i = 0; i < count; i++) {
                if (piece[i] == '\n' || piece[i] == '\r') {
                    event(line);
                    line.reset();
                } else if (line.size() <= MAX_EVENT) {
                    line.write(piece[i]);
                }
            }
        }
        event(line);
        isComplete = true;
    }

    private void event(ByteArrayOutputStream line) throws IOException {
        if (line.size() == 0 || line.size() > MAX_EVENT) {
            return;
        }
        String text = line.toString(StandardCharsets.UTF_8);
        if (!text.startsWith("data:")) {
            return;
        }
        String data = text.substring("data:".length()).strip();
        isComplete |= data.equals("[DONE]");
        if (!data.startsWith("{")) {
            return;
        }
        try (JsonParser parser = JSON.createParser(data)) {
            String type = walk(parser);
            isComplete |= type != null && ENDS.contains(type);
            if ("message_start".equals(type)) {
                // It counts the output before there is any.
                reported.remove(OUTPUT);
            }
        } catch (JsonProcessingException _) {
            // An event that is no JSON reports no usage.
            return;
        }
    }

    /** Looks for usage at the top of a document and in the answer that it holds. The type of the document; null: it has none. */
    private @Nullable String walk(JsonParser parser) throws IOException {
        int depth = 0;
        String outer = "";
        String name = "";
        String type = null;
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.FIELD_NAME && depth <= 2) {
                outer = depth == 1 ? "" : outer;
                name = parser.currentName();
            } else if (token == JsonToken.START_OBJECT && isUsage(depth, outer, name)) {
                take(numbers(parser, MAX_NUMBERS));
            } else if (token.isStructStart()) {
                outer = depth == 1 ? name : outer;
                name = "";
                depth++;
            } else if (token.isStructEnd()) {
                depth--;
                name = "";
            } else if (depth == 1 && token == JsonToken.VALUE_STRING && name.equals("type")) {
                type = parser.getText();
            }
        }
        return type;
    }

    private static boolean isUsage(int depth, String outer, String name) {
        return name.equals(USAGE) && (depth == 1 || (depth == 2 && ANSWERS.contains(outer)));
    }

    /** Later numbers stand over earlier ones: a stream of Anthropic reports its input first. */
    private void take(ObjectNode numbers) {
        numbers.properties().forEach(number -> reported.set(number.getKey(), number.getValue()));
    }

    /** The whole numbers of the current object and of those in it; the rest of it is left out. */
    private static ObjectNode numbers(JsonParser parser, int most) throws IOException {
        ObjectNode numbers = JsonNodeFactory.instance.objectNode();
        String name = "";
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
            if (token == null) {
                return numbers;
            }
            boolean isKept = numbers.size() < most;
            switch (token) {
                case FIELD_NAME -> name = parser.currentName();
                case START_OBJECT -> {
                    if (isKept && most == MAX_NUMBERS) {
                        numbers.set(name, numbers(parser, most / 2));
                    } else {
                        parser.skipChildren();
                    }
                }
                case START_ARRAY -> parser.skipChildren();
                case VALUE_NUMBER_INT -> {
                    if (isKept && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
                        numbers.put(name, parser.getLongValue());
                    }
                }
                default -> {}
            }
        }
        return numbers;
    }

    /** The tokens, as far as they are reported. */
    Usage usage() {
        return switch (route) {
            case CHAT -> OpenAiUsage.COMPLETIONS.tokens(reported);
            case RESPONSES -> OpenAiUsage.RESPONSES.tokens(reported);
            case EMBEDDINGS -> {
                Long input = count(reported.path("prompt_tokens"));
                yield input == null ? Usage.UNKNOWN : Usage.of(input, 0);
            }
            case MESSAGES -> new AnthropicUsage(reported).tokens();
            case COUNT_TOKENS -> Usage.NONE;
        };
    }

    private static @Nullable Long count(JsonNode number) {
        return number.isIntegralNumber() && number.canConvertToInt() && number.intValue() >= 0
                ? (Long) number.longValue()
                : null;
    }
}
