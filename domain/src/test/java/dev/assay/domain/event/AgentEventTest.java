package dev.assay.domain.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AgentEventTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:15:30.123Z");
    private static final Message CALL =
            new Message(Role.ASSISTANT, List.of(new Content.ToolCall("c1", "search", Json.tree("{\"q\":1}"))), null);
    private static final Message RESULT =
            new Message(Role.TOOL, List.of(new Content.Text("found")), new Message.ToolResult("c1", "search", false));

    static Stream<AgentEvent> everyEvent() {
        return Stream.of(
                new AgentEvent.ParallelLoopStart("s", List.of("s.a.1", "s.b.2"), NOW),
                new AgentEvent.AgentStart("s", "s.a.1", "openai", "m", NOW),
                new AgentEvent.InputRejected("s", "s.a.1", "Too long.", NOW),
                new AgentEvent.CompactionStarted("s", "s.a.1", 900, 800, NOW),
                new AgentEvent.CompactionEnded("s", "s.a.1", 900, 700, 800, true, NOW),
                new AgentEvent.TurnStart("s", "s.a.1", 1, NOW),
                new AgentEvent.MessageStart("s", "s.a.1", Role.ASSISTANT, NOW),
                new AgentEvent.MessageUpdate("s", "s.a.1", Part.TEXT, 0, null, 0, "Hel", NOW),
                new AgentEvent.MessageUpdate("s", "s.a.1", Part.TOOL_CALL, 1, "search", 3, "{\"q", NOW),
                new AgentEvent.MessageEnd("s", "s.a.1", Message.assistant("Hello"), NOW),
                new AgentEvent.ToolExecutionStart("s", "s.a.1", "c1", "search", Json.tree("{\"q\":1}"), NOW),
                new AgentEvent.ToolExecutionUpdate("s", "s.a.1", "c1", "search", "half", NOW),
                new AgentEvent.ToolExecutionEnd("s", "s.a.1", "c1", "search", "found", false, NOW),
                new AgentEvent.ProgressMessage("s", "s.a.1", "Careful.", NOW),
                new AgentEvent.TurnEnd(
                        "s", "s.a.1", 1, CALL, List.of(RESULT), Usage.of(3, 4), new BigDecimal("0.5"), 20, NOW),
                new AgentEvent.AgentEnd(
                        "s",
                        "s.a.1",
                        OutcomeStatus.MODEL_ERROR,
                        List.of(CALL, RESULT),
                        Usage.of(3, 4),
                        null,
                        new Failure(ErrorCode.PROVIDER_REJECTED, "No."),
                        NOW),
                new AgentEvent.ParallelLoopEnd("s", "s.b.2", 1, Usage.UNKNOWN, 2, NOW),
                new AgentEvent.ParallelLoopEnd("s", null, null, Usage.NONE, 0, NOW));
    }

    @ParameterizedTest
    @MethodSource("everyEvent")
    void shouldSurviveJsonUnderItsName(AgentEvent event) {
        String json = Json.write(event);

        assertThat(Json.read(json, AgentEvent.class)).isEqualTo(event);
        assertThat(Json.tree(json).path("type").textValue()).isEqualTo(event.name());
        assertThat(event.name()).isEqualTo(event.getClass().getSimpleName());
    }

    @Test
    void shouldReadAnUpdateOfAnEarlierBuildAsText() {
        String old = """
            {"type": "MessageUpdate", "sessionId": "s", "loopId": "s.a.1", "delta": "Hel",
             "timestamp": "2026-11-21T10:15:30.123Z"}
            """;

        assertThat(Json.read(old, AgentEvent.class))
                .isEqualTo(new AgentEvent.MessageUpdate("s", "s.a.1", Part.TEXT, 0, null, 0, "Hel", NOW));
    }

    @Test
    void shouldHaveAnExampleOfEveryKindWhenTested() {
        assertThat(everyEvent().map(AgentEvent::getClass).distinct()).hasSize(16);
    }

    @Test
    void shouldWriteTheFieldsThatClientsReadWhenWrittenAsJson() {
        assertThat(Json.write(new AgentEvent.ParallelLoopEnd("s", "s.b.2", 1, Usage.of(3, 4), 0, NOW)))
                .isEqualTo(
                        "{\"type\":\"ParallelLoopEnd\",\"sessionId\":\"s\",\"selectedLoopId\":\"s.b.2\","
                            + "\"selectedIndex\":1,\"evaluationUsage\":{\"input\":3,\"output\":4,\"reasoning\":0,"
                            + "\"cacheRead\":0,\"cacheWrite\":0,\"total\":7},\"unknownUsage\":0,\"timestamp\":\"2026-11-21T10:15:30.123Z\"}");
        assertThat(Json.write(new AgentEvent.ToolExecutionEnd("s", "s.a.1", "c1", "search", "found", true, NOW)))
                .isEqualTo("{\"type\":\"ToolExecutionEnd\",\"sessionId\":\"s\",\"loopId\":\"s.a.1\","
                        + "\"toolCallId\":\"c1\",\"toolName\":\"search\",\"result\":\"found\",\"isError\":true,"
                        + "\"timestamp\":\"2026-11-21T10:15:30.123Z\"}");
    }
}
