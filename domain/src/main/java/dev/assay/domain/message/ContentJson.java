package dev.assay.domain.message;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import java.io.IOException;
import java.util.List;

/** Content in JSON: a string stands for a single text block. */
final class ContentJson {

    private ContentJson() {}

    static final class Serializer extends JsonSerializer<List<Content>> {
        @Override
        public void serialize(List<Content> content, JsonGenerator json, SerializerProvider provider)
                throws IOException {
            if (content.size() == 1 && content.getFirst() instanceof Content.Text(String text)) {
                json.writeString(text);
                return;
            }
            json.writeStartArray();
            for (Content block : content) {
                // With its type serializer, so that the block's "type" is written beside its own fields.
                provider.findTypedValueSerializer(block.getClass(), true, null).serialize(block, json, provider);
            }
            json.writeEndArray();
        }
    }

    static final class Deserializer extends JsonDeserializer<List<Content>> {
        @Override
        public List<Content> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (parser.hasToken(JsonToken.VALUE_STRING)) {
                return List.of(new Content.Text(parser.getText()));
            }
            return context.readValue(
                    parser, context.getTypeFactory().constructCollectionType(List.class, Content.class));
        }
    }
}
