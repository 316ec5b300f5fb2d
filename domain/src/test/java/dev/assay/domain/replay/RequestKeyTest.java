package dev.assay.domain.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestKeyTest {

    private static final List<Message> HELLO = List.of(Message.user("Hello"));

    private static ModelChoice choice(String parameters) {
        Map<String, JsonNode> map = new LinkedHashMap<>();
        Json.tree(parameters).properties().forEach(field -> map.put(field.getKey(), field.getValue()));
        return new ModelChoice("openai", "gpt", Thinking.OFF, map);
    }

    private static String key(String parameters) {
        return RequestKey.of(choice(parameters), "Be brief.", HELLO);
    }

    @Test
    void shouldStayTheSameWhenOneQuestionIsAskedInTwoReleases() {
        assertThat(key("{\"temperature\": 0.5}"))
                .isEqualTo("7ef600f0d032d4bd973f4598d20a090b73d97b13bf197a7695d293fb3dc85de6");
    }

    @Test
    void shouldDifferWhenAnotherFormOfAnswerIsAsked() {
        assertThat(List.of(
                        key("{}"),
                        key("{\"responseFormat\": \"json\"}"),
                        key("{\"responseFormat\": {\"name\": \"a\", \"schema\": {}, \"strict\": true}}"),
                        key("{\"responseFormat\": {\"name\": \"a\", \"schema\": {\"type\": \"object\"},"
                                + " \"strict\": true}}")))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldBeEqualWhenOnlyTheOrderOfParametersDiffers() {
        assertThat(key("{\"a\": 1, \"b\": {\"x\": 1, \"y\": 2}}"))
                .isEqualTo(key("{\"b\": {\"y\": 2, \"x\": 1}, \"a\": 1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1.0", "1.000", "1e0", "10e-1"})
    void shouldBeEqualWhenANumberIsSpelledDifferently(String one) {
        assertThat(key("{\"temperature\": " + one + "}")).isEqualTo(key("{\"temperature\": 1}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"temperature\": 1.1}", "{\"temperature\": \"1\"}", "{}", "{\"temperature\": 1, \"seed\": 1}"})
    void shouldDifferWhenAParameterDiffers(String parameters) {
        assertThat(key(parameters)).isNotEqualTo(key("{\"temperature\": 1}"));
    }

    @Test
    void shouldDifferWhenAnythingThatIsAskedDiffers() {
        ModelChoice choice = choice("{}");

        assertThat(List.of(
                        RequestKey.of(choice, null, HELLO),
                        RequestKey.of(choice, "", HELLO),
                        RequestKey.of(choice, null, List.of(Message.user("Hello!"))),
                        RequestKey.of(choice, null, List.of(Message.assistant("Hello"))),
                        RequestKey.of(choice, null, List.of(Message.user("Hello"), Message.user("Hello"))),
                        RequestKey.of(choice, null, List.of()),
                        RequestKey.of(new ModelChoice("openai", "gpt", Thinking.LOW, Map.of()), null, HELLO),
                        RequestKey.of(new ModelChoice("openai", "gpt-2", Thinking.OFF, Map.of()), null, HELLO),
                        RequestKey.of(new ModelChoice("other", "gpt", Thinking.OFF, Map.of()), null, HELLO)))
                .doesNotHaveDuplicates()
                .allMatch(key -> key.matches("[0-9a-f]{64}"));
    }
}
