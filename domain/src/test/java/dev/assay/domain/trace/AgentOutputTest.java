package dev.assay.domain.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Reported;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AgentOutputTest {

    private static List<String> types(AgentOutput output) {
        return output.trace().stream()
                .map(event -> event.payload().path("type").asText())
                .toList();
    }

    /** Recorded from Claude Code 2.1.197; of the first and the last line the beginning. */
    @Test
    void shouldReadAnswerToolsUsageAndCostWhenClaudePrintsThem() {
        AgentOutput output = AgentOutput.read(OutputFormat.CLAUDE, """
            {"type":"system","subtype":"init","cwd":"/work","session_id":"b6db6647","tools":["Task","Bash"],"mcp_servers":[],"model":"claude-opus-4-8[1m]","permissionMode":"acceptEdits"}
            {"type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-8","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls","description":"List"}}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":1},"context_management":null},"parent_tool_use_id":null,"session_id":"b6db6647"}
            {"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"a.txt","is_error":false}]},"parent_tool_use_id":null,"session_id":"b6db6647","timestamp":"2026-11-22T23:29:23.484Z","tool_use_result":{"stdout":"a.txt","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}}
            {"type":"assistant","message":{"id":"msg_2","type":"message","role":"assistant","model":"claude-opus-4-8","content":[{"type":"text","text":"There is a.txt."}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":1},"context_management":null},"parent_tool_use_id":null,"session_id":"b6db6647"}
            {"type":"result","subtype":"success","is_error":false,"api_error_status":null,"duration_ms":5376,"duration_api_ms":2695,"num_turns":2,"result":"There is a.txt.","stop_reason":"end_turn","session_id":"b6db6647","total_cost_usd":0.00405,"usage":{"input_tokens":20,"cache_creation_input_tokens":200,"cache_read_input_tokens":2000,"output_tokens":14,"service_tier":"standard"}}
            """);

        assertThat(output.text()).isEqualTo("There is a.txt.");
        assertThat(output.usage()).isEqualTo(new Usage(2220L, 14L, null, 2000L, 200L, 2234L));
        assertThat(output.costUsd()).isEqualByComparingTo(new BigDecimal("0.00405"));
        assertThat(types(output)).containsExactly("message", "tool_use", "tool_result", "message", "token_usage_line");
        assertThat(Traces.commands(output.trace())).isOne();
    }

    /** Recorded from Codex CLI 0.169.0. */
    @Test
    void shouldReadAnswerCommandsAndUsageWhenCodexPrintsThem() {
        AgentOutput output = AgentOutput.read(OutputFormat.CODEX, """
            {"type":"thread.started","thread_id":"01a20596-5aac-7131-8383-a710673098e4"}
            {"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata for `gpt-5` not found. Defaulting to fallback metadata; this can degrade performance and cause issues."}}
            {"type":"turn.started"}
            {"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -lc 'echo hi > made.txt; ls'","aggregated_output":"","exit_code":null,"status":"in_progress"}}
            {"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -lc 'echo hi > made.txt; ls'","aggregated_output":"made.txt\\n","exit_code":0,"status":"completed"}}
            {"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"I made made.txt."}}
            {"type":"turn.completed","usage":{"input_tokens":200,"cached_input_tokens":80,"cache_write_input_tokens":0,"output_tokens":40,"reasoning_output_tokens":10}}
            """);

        assertThat(output.text()).isEqualTo("I made made.txt.");
        assertThat(output.usage()).isEqualTo(new Usage(200, 40, 10, 80, 0, 240));
        assertThat(output.costUsd()).isNull();
        assertThat(types(output))
                .containsExactly(
                        "message", "error", "message", "tool_use", "tool_result", "message", "token_usage_line");
        assertThat(Traces.jsonLines(output.trace())).contains("\"tool_name\":\"shell\"", "echo hi > made.txt");
    }

    /** As the Gemini CLI's page on headless mode describes the events. */
    @Test
    void shouldJoinPiecesAndReadStatsWhenGeminiPrintsThem() {
        AgentOutput output = AgentOutput.read(OutputFormat.GEMINI, """
            {"type":"init","timestamp":"2026-01-01T00:00:00.000Z","session_id":"s","model":"gemini-2.5-pro"}
            {"type":"message","role":"user","content":"List."}
            {"type":"message","role":"assistant","content":"I look","delta":true}
            {"type":"tool_use","tool_name":"list_directory","tool_id":"t1","parameters":{"path":"."}}
            {"type":"tool_result","tool_id":"t1","status":"success","output":"a.txt"}
            {"type":"message","role":"assistant","content":"There is ","delta":true}
            {"type":"message","role":"assistant","content":"a.txt.","delta":true}
            {"type":"result","status":"success","stats":{"total_tokens":150,"input_tokens":100,"output_tokens":40,"cached":30,"duration_ms":5,"tool_calls":1}}
            """);

        assertThat(output.text()).isEqualTo("There is a.txt.");
        assertThat(output.usage()).isEqualTo(new Usage(100L, 40L, null, 30L, null, 150L));
        assertThat(Traces.commands(output.trace())).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void shouldKnowNoUsageWhenNothingIsSaidOfIt(OutputFormat format) {
        AgentOutput output = AgentOutput.read(format, "{\"type\":\"result\",\"stats\":{}}\n");

        assertThat(output.usage()).isEqualTo(Usage.UNKNOWN);
        assertThat(output.costUsd()).isNull();
    }

    @ParameterizedTest
    @MethodSource("halves")
    void shouldLeaveUnknownWhatAProgramDoesNotReport(OutputFormat format, String line, Usage usage) {
        assertThat(AgentOutput.read(format, line).usage()).isEqualTo(usage);
    }

    static Stream<Arguments> halves() {
        Usage input = new Usage(7L, null, null, null, null, null);
        Usage output = new Usage(null, 9L, null, null, null, null);
        return Stream.of(
                arguments(OutputFormat.CLAUDE, "{\"type\":\"result\",\"usage\":{\"input_tokens\":7}}", input),
                arguments(OutputFormat.CLAUDE, "{\"type\":\"result\",\"usage\":{\"output_tokens\":9}}", output),
                arguments(OutputFormat.CODEX, "{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":7}}", input),
                arguments(OutputFormat.CODEX, "{\"type\":\"turn.completed\",\"usage\":{\"output_tokens\":9}}", output),
                arguments(OutputFormat.GEMINI, "{\"type\":\"result\",\"stats\":{\"input_tokens\":7}}", input),
                arguments(OutputFormat.GEMINI, "{\"type\":\"result\",\"stats\":{\"output_tokens\":9}}", output),
                arguments(
                        OutputFormat.GEMINI,
                        "{\"type\":\"result\",\"stats\":{\"total_tokens\":16}}",
                        new Usage(null, null, null, null, null, 16L)));
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepEveryLineWhenNothingInItIsKnown(OutputFormat format) {
        String strange = """
            \u001b[31mred\u0000
            {"type": 5, "usage": "x"}
            {"type":"result","usage":{"input_tokens":-5,"output_tokens":1e400},"total_cost_usd":-1,"result":{}}
            {"type":"assistant","message":[1,[2]]}
            {"type":"item.completed","item":"x"}
            {"type":"message","content":{"a":1}}
            {"a":"\\ud800"}
            {"cut
            """ + "[".repeat(5_000) + "\n" + "{\"a\":".repeat(5_000);

        AgentOutput output = AgentOutput.read(format, strange);

        assertThat(output.trace()).hasSizeGreaterThanOrEqualTo(6);
        assertThat(output.trace()).extracting(TraceEvent::seq).isSorted();
        assertThat(output.trace().getFirst().payload().path("line").asText()).isEqualTo("\u001b[31mred\uFFFD");
        assertThat(output.costUsd()).isNull();
    }

    @Test
    void shouldTellTheEndWhenTheProgramDidNotChooseIt() {
        assertThat(AgentOutput.trace(OutputFormat.TEXT, "a\n", null, "It was late.", true))
                .extracting(event -> event.payload().path("type").asText())
                .containsExactly("raw_line", "timeout");
        assertThat(AgentOutput.trace(OutputFormat.JSONL, "{\"cmd\":\"ls\"}\n", null, "Signal 9.", false))
                .extracting(event -> event.payload().path("type").asText())
                .containsExactly("raw_json", "error");
    }

    @Test
    void shouldTellTheRequestsToModelsBetweenOutputAndEnd() {
        ModelTurn turn =
                new ModelTurn(1, "small", 200, Duration.ofMillis(20), Usage.of(7, 2), new BigDecimal("0.009"), null);
        ModelUse use = ModelUse.of(
                List.of(turn.withMessages("{\"a\": 1}\n", "two\nlines"), turn), new Reported(Usage.UNKNOWN, null));

        List<TraceEvent> trace = AgentOutput.trace(OutputFormat.TEXT, "a\n", use.turns(), "Signal 9.", false);

        assertThat(trace)
                .extracting(event -> event.payload().path("type").asText())
                .containsExactly("raw_line", "model_turn", "model_turn", "error");
        assertThat(trace).extracting(TraceEvent::seq).containsExactly(0, 1, 2, 3);
        assertThat(trace.get(1).payload())
                .isEqualTo(Json.tree("{\"type\": \"model_turn\", \"turn\": 1, \"model\": \"small\", \"status\": 200,"
                        + " \"latency_ms\": 20, \"usage\": {\"input\": 7, \"output\": 2, \"reasoning\": 0,"
                        + " \"cache_read\": 0, \"cache_write\": 0, \"total\": 9}, \"cost_usd\": 0.009,"
                        + " \"request\": \"{\\\"a\\\": 1}\\n\", \"answer\": \"two\\nlines\"}"));
        assertThat(trace.get(2).payload().has("request")).isFalse();
        assertThat(Traces.commands(trace)).isZero();
    }
}
