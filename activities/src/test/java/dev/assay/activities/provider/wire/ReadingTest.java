package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.wire.StreamingSupport.Way;
import dev.assay.activities.provider.wire.Wire.ThinkingForm;
import dev.assay.domain.agent.Served;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.usage.Usage;
import java.io.EOFException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as values: no server, and the same reply whether an answer comes whole or in events. */
class ReadingTest {

    private static final Wire OPENAI = new OpenAiWire(
            new ProviderSettings("openai", ProviderType.OPENAI, URI.create("http://x/v1"), null, 1, 1, Map.of()));
    private static final Wire ANTHROPIC = new AnthropicWire();

    private static final String CALLS = """
        {"model":"m","service_tier":"flex","choices":[{"finish_reason":"tool_calls","message":{"content":"Two.",
        "reasoning":"Both","tool_calls":[{"id":"c1","function":{"name":"weather","arguments":"{\\"city\\":\\"Rome\\"}"}},
        {"id":"c2","function":{"name":"clock","arguments":""}}]}}],"usage":{"prompt_tokens":7,"completion_tokens":5}}\
        """;

    private static final Message TWO_CALLS = new Message(
            Role.ASSISTANT,
            List.of(
                    new Content.Thinking("Both"),
                    new Content.Text("Two."),
                    new Content.ToolCall("c1", "weather", Json.tree("{\"city\":\"Rome\"}")),
                    new Content.ToolCall("c2", "clock", Json.tree("{}"))),
            null);

    private static Wire.Reply events(Wire wire, String... events) throws EOFException {
        AnswerEvents lines = new AnswerEvents(wire.reading(null));
        for (String event : events) {
            lines.accept("data: " + event);
            lines.accept("");
        }
        Answer answer = lines.answer(new Answer(200, Map.of(), "", null));
        Wire.Reading streamed = answer.streamed();
        if (streamed == null) {
            throw new IllegalArgumentException("not readable: " + answer.text());
        }
        return streamed.reply();
    }

    private static String piece(String delta) {
        return "{\"choices\":[{\"delta\":" + delta + "}]}";
    }

    private static String call(String fields, String name, String arguments) {
        return piece(
                "{\"tool_calls\":[{" + fields + "\"function\":{" + name + "\"arguments\":\"" + arguments + "\"}}]}");
    }

    @Test
    void shouldReadTheSameReplyWhenACompletionIsWholeOrStreamed() throws Exception {
        Wire.Reply whole = OPENAI.reply(Json.tree(CALLS));

        assertThat(whole)
                .isEqualTo(new Wire.Reply(
                        TWO_CALLS,
                        "tool_execution",
                        new Usage(7L, 5L, null, null, null, 12L),
                        new Served("m", null, "flex")));
        assertThat(events(
                        OPENAI,
                        "{\"model\":\"m\",\"choices\":[{\"delta\":{\"reasoning\":\"Bo\"}}]}",
                        piece("{\"reasoning\":\"th\",\"content\":\"Tw\"}"),
                        piece("{\"content\":\"o.\"}"),
                        call("\"index\":0,\"id\":\"c1\",", "\"name\":\"weather\",", "{\\\"city\\\":"),
                        call("\"index\":0,", "", "\\\"Rome\\\"}"),
                        call("\"index\":1,\"id\":\"c2\",", "\"name\":\"clock\",", ""),
                        "{\"service_tier\":\"flex\",\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}",
                        "{\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5}}"))
                .isEqualTo(whole);
    }

    @Test
    void shouldKeepCallsApartWhenAServerRepeatsOrLeavesOutTheirNumbers() throws Exception {
        Wire.Reply unnumbered = events(
                OPENAI,
                piece("{\"content\":\"Two.\",\"reasoning\":\"Both\"}"),
                call("\"id\":\"c1\",", "\"name\":\"weather\",", "{\\\"city\\\":"),
                call("\"id\":\"c1\",", "\"name\":\"weather\",", "\\\"Rome\\\"}"),
                call("\"id\":\"c2\",", "\"name\":\"clock\",", "{}"),
                "[DONE]");

        assertThat(unnumbered.message()).isEqualTo(TWO_CALLS);
    }

    @Test
    void shouldReadTheSameReplyWhenAMessageIsWholeOrStreamed() throws Exception {
        String usage = "{\"input_tokens\":7,\"output_tokens\":1,\"cache_read_input_tokens\":2}";
        Wire.Reply whole = ANTHROPIC.reply(Json.tree("""
            {"model":"m","content":[{"type":"thinking","thinking":"Bo","signature":"s1"},{"type":"new_kind"},
            {"type":"thinking","thinking":"th","signature":"s2"},{"type":"text","text":"Two."},
            {"type":"tool_use","id":"c1","name":"weather","input":{"city":"Rome"}},
            {"type":"tool_use","id":"c2","name":"clock","input":{}}],"stop_reason":"tool_use",
            "usage":{"input_tokens":7,"output_tokens":5,"cache_read_input_tokens":2}}\
            """));

        assertThat(whole.message().content())
                .as("each thought has its own signature, without which it cannot be sent back")
                .startsWith(new Content.Thinking("Bo", "s1"), new Content.Thinking("th", "s2"));
        assertThat(whole.message().toolCalls()).isEqualTo(TWO_CALLS.toolCalls());
        assertThat(whole.usage()).isEqualTo(new Usage(9L, 5L, null, 2L, null, 14L));
        assertThat(events(
                        ANTHROPIC,
                        "{\"type\":\"message_start\",\"message\":{\"model\":\"m\",\"usage\":" + usage + "}}",
                        begin(0, "{\"type\":\"thinking\",\"thinking\":\"\"}"),
                        delta(0, "{\"thinking\":\"Bo\"}"),
                        delta(0, "{\"signature\":\"s1\"}"),
                        begin(1, "{\"type\":\"new_kind\",\"data\":\"zz\"}"),
                        begin(2, "{\"type\":\"thinking\",\"thinking\":\"th\",\"signature\":\"s2\"}"),
                        begin(3, "{\"type\":\"text\",\"text\":\"Tw\"}"),
                        delta(3, "{\"text\":\"o.\"}"),
                        begin(4, "{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"weather\",\"input\":{}}"),
                        delta(4, "{\"partial_json\":\"{\\\"city\\\":\"}"),
                        delta(4, "{\"partial_json\":\"\\\"Rome\\\"}\"}"),
                        begin(5, "{\"type\":\"tool_use\",\"id\":\"c2\",\"name\":\"clock\",\"input\":{}}"),
                        "{\"type\":\"content_block_stop\",\"index\":5}",
                        "{\"type\":\"new_event\"}",
                        "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":5}}",
                        "{\"type\":\"message_stop\"}"))
                .isEqualTo(whole);
    }

    private static String begin(int index, String block) {
        return "{\"type\":\"content_block_start\",\"index\":" + index + ",\"content_block\":" + block + "}";
    }

    private static String delta(int index, String delta) {
        return "{\"type\":\"content_block_delta\",\"index\":" + index + ",\"delta\":" + delta + "}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "7",
                "{\"choices\":7}",
                "{\"choices\":[7]}",
                "{\"choices\":[{\"message\":[]}]}",
                "{\"choices\":[{\"message\":{\"content\":{}}}]}",
                "{\"choices\":[{\"message\":{\"tool_calls\":{}}}]}",
                "{\"choices\":[{\"message\":{\"tool_calls\":[null]}}]}",
                "{\"choices\":[{\"message\":{\"tool_calls\":[{\"id\":\"c\",\"function\":{\"arguments\":\"{}\"}}]}}]}",
                "{\"choices\":[{\"message\":{\"tool_calls\":[{\"index\":-2,\"function\":{\"name\":\"f\"}}]}}]}",
                "{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":[]}]}",
                "{\"content\":7}",
                "{\"content\":[7]}",
                "{\"content\":[{\"type\":\"text\",\"text\":[]}]}",
                "{\"content\":[{\"type\":{}}]}",
                "{\"content\":[{\"type\":\"tool_use\",\"id\":\"c\",\"input\":{}}]}",
            })
    void shouldRefuseWhatIsNoAnswer(String body) {
        JsonNode answer = Json.tree(body);

        assertThatThrownBy(() -> OPENAI.reply(answer)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ANTHROPIC.reply(answer)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[DONE]",
                "{}",
                "[1]",
                "{\"choices\":[]}",
                "{\"choices\":[{\"delta\":7}]}",
                "{\"type\":\"message_stop\"}"
            })
    void shouldRefuseAStreamThatSaysNothing(String event) {
        assertThatThrownBy(() -> events(OPENAI, event, "[DONE]")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> events(ANTHROPIC, event, "[DONE]")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"prompt_tokens\":\"7\"}", "{\"prompt_tokens\":{}}", "{\"prompt_tokens\":1e99}", "[]", "7"})
    void shouldLeaveUnknownWhatIsNoCount(String usage) {
        assertThat(OPENAI.reply(Json.tree("{\"choices\":[{\"message\":{}}],\"usage\":" + usage + "}"))
                        .usage())
                .isEqualTo(Usage.UNKNOWN);
        String messages = usage.replace("prompt", "input");
        assertThat(ANTHROPIC
                        .reply(Json.tree("{\"content\":[],\"usage\":" + messages + "}"))
                        .usage())
                .isEqualTo(Usage.UNKNOWN);
    }

    @Test
    void shouldReadNothingAfterAnError() throws Exception {
        AnswerEvents lines = new AnswerEvents(OPENAI.reading(null));
        for (String event : List.of(
                piece("{\"content\":\"a\"}"), "{\"error\":{\"message\":\"no\",\"code\":429}}", "no JSON", "[DONE]")) {
            lines.accept("data: " + event);
            lines.accept("");
        }

        Answer answer = lines.answer(new Answer(200, Map.of(), "", null));

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.text()).contains("\"no\"");
    }

    @Test
    void shouldSendEveryThoughtBackUnderItsOwnSignature() {
        Message answered = new Message(
                Role.ASSISTANT,
                List.of(
                        new Content.Thinking("one", "s1"),
                        new Content.Thinking("unsigned"),
                        new Content.Thinking("two", "s2"),
                        new Content.Thinking("of OpenAI", "{\"type\":\"reasoning\",\"encrypted_content\":\"x\"}"),
                        new Content.Text("Hm.")),
                null);
        JsonNode sent = ANTHROPIC.request(new Wire.Asked(
                Requests.choice("anthropic"),
                ThinkingForm.NONE,
                Way.WHOLE,
                new ModelRequest(
                        null,
                        List.of(Message.user("?"), answered, Message.user("!")),
                        1,
                        1,
                        500,
                        Duration.ofSeconds(1))));

        assertThat(sent.path("messages").path(1).path("content")).isEqualTo(Json.tree("""
            [{"type":"thinking","thinking":"one","signature":"s1"},{"type":"thinking","thinking":"two","signature":"s2"},
            {"type":"text","text":"Hm."}]\
            """));
    }
}
