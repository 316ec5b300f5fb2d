package dev.assay.domain.draw;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestIdentityTest {

    private static final String URL = "https://api.example.com/v1";

    private static ModelChoice model(
            String provider, String name, Thinking thinking, Map<String, JsonNode> parameters) {
        return new ModelChoice(provider, name, thinking, parameters);
    }

    private static RequestIdentity identity(ModelChoice choice) {
        return new RequestIdentity(URL, choice, 100, "Be brief", List.of(Message.user("Where?")), false);
    }

    @Test
    void shouldDifferInWhateverChangesTheRequest() {
        ModelChoice choice = model("p", "m", Thinking.OFF, Map.of("seed", IntNode.valueOf(1)));
        List<Message> messages = List.of(Message.user("Where?"));
        List<String> keys = Stream.of(
                        identity(choice),
                        identity(model("q", "m", Thinking.OFF, Map.of("seed", IntNode.valueOf(1)))),
                        identity(model("p", "n", Thinking.OFF, Map.of("seed", IntNode.valueOf(1)))),
                        identity(model("p", "m", Thinking.HIGH, Map.of("seed", IntNode.valueOf(1)))),
                        identity(new ModelChoice("p", "m", Thinking.HIGH, true, Map.of("seed", IntNode.valueOf(1)))),
                        identity(model("p", "m", Thinking.OFF, Map.of("seed", IntNode.valueOf(2)))),
                        identity(model(
                                "p",
                                "m",
                                Thinking.OFF,
                                Map.of("seed", IntNode.valueOf(1), "responseFormat", TextNode.valueOf("json")))),
                        new RequestIdentity("https://other.example.com/v1", choice, 100, "Be brief", messages, false),
                        new RequestIdentity(URL, choice, 101, "Be brief", messages, false),
                        new RequestIdentity(URL, choice, 100, "Be long", messages, false),
                        new RequestIdentity(URL, choice, 100, null, messages, false),
                        new RequestIdentity(URL, choice, 100, "Be brief", List.of(Message.user("Who?")), false),
                        new RequestIdentity(URL, choice, 100, "Be brief", messages, true))
                .map(RequestIdentity::key)
                .toList();

        assertThat(keys).doesNotHaveDuplicates().allMatch(key -> key.matches("[0-9a-f]{64}"));
    }

    @Test
    void shouldBeTheSameHoweverItIsWritten() {
        ModelChoice one = model("p", "m", Thinking.OFF, Map.of("temperature", Json.tree("0.50")));
        ModelChoice other = model(
                "p",
                "m",
                Thinking.OFF,
                Map.of("temperature", Json.tree("5e-1"), "maxOutputTokens", IntNode.valueOf(100)));

        assertThat(identity(one).key()).isEqualTo(identity(other).key());
    }

    @Test
    void shouldLeaveUserQueryAndKeyOutOfTheEndpoint() {
        assertThat(RequestIdentity.endpoint(URI.create("HTTPS://me:secret@API.example.com:8443/v1/x?key=secret#top")))
                .isEqualTo("https://api.example.com:8443/v1/x");
    }
}
