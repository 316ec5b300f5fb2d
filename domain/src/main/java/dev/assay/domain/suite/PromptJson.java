package dev.assay.domain.suite;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import dev.assay.domain.message.Message;
import java.io.IOException;

/** A prompt in JSON: a string stands for a user message with one text, so that suites of texts keep their hash. */
final class PromptJson extends JsonSerializer<Message> {

    @Override
    public void serialize(Message prompt, JsonGenerator json, SerializerProvider provider) throws IOException {
        String text = prompt.plainPrompt();
        provider.defaultSerializeValue(text == null ? prompt : text, json);
    }
}
