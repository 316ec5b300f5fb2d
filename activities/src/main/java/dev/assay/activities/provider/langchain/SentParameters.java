package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.util.Set;

/** The parameters of a request beside the conversation: model, settings, thinking. */
final class SentParameters {

    /** Fields that are on record elsewhere and may be large, and those of how the answer travels. */
    private static final Set<String> LEFT_OUT =
            Set.of("messages", "input", "system", "tools", "stream", "stream_options");

    private SentParameters() {}

    /**
     * The fields of {@code body} but those of the conversation and of streaming, which are passed over unread.
     *
     * @throws IllegalArgumentException when {@code body} is no object of JSON
     */
    static ObjectNode of(String body) {
        ObjectNode parameters = Json.mapper().createObjectNode();
        try (JsonParser parser = Json.mapper().createParser(body)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (LEFT_OUT.contains(name)) {
                    parser.skipChildren();
                } else {
                    parameters.set(name, parser.readValueAsTree());
                }
            }
            return parameters;
        } catch (IOException e) {
            throw new IllegalArgumentException("a request is no object of JSON", e);
        }
    }
}
