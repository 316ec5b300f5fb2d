package dev.assay.domain.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageReaderTest {

    static Stream<Message> messages() {
        JsonNode arguments = Json.tree("{\"city\": \"Rome\", \"days\": 2}");
        return Stream.of(
                Message.user("Hello"),
                Message.assistant(""),
                new Message(Role.ASSISTANT, List.of(), null),
                new Message(
                        Role.USER,
                        List.of(new Content.Text("a"), new Content.Image("image/png", "iVBORw0KGgo=")),
                        null),
                new Message(
                        Role.ASSISTANT,
                        List.of(new Content.Thinking("hm"), new Content.ToolCall("c", "weather", arguments)),
                        null),
                new Message(Role.TOOL, List.of(new Content.Text("22")), new Message.ToolResult("c", "weather", true)));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldReadTheSameMessageWhenItWasWritten(Message message) {
        String written = Json.write(message);
        Problems problems = new Problems();

        assertThat(MessageReader.read(Json.tree(written), "message", problems)).isEqualTo(message);
        assertThat(problems.errors()).isEmpty();
        assertThat(Json.read(written, Message.class)).isEqualTo(message);
    }

    @Test
    void shouldWriteTheFieldsOfABlockWhenItIsNoPlainText() {
        Message message = new Message(Role.ASSISTANT, List.of(new Content.Thinking("hm"), new Content.Text("a")), null);

        assertThat(Json.write(message))
                .isEqualTo(
                        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"text\":\"hm\"},{\"type\":\"text\",\"text\":\"a\"}]}");
    }
}
