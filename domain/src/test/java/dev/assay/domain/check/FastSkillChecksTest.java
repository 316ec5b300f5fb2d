package dev.assay.domain.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.OfferedTools;
import dev.assay.domain.check.run.CommandContainsRule;
import dev.assay.domain.check.run.FileExistsRule;
import dev.assay.domain.check.run.MaxCommandCountRule;
import dev.assay.domain.check.run.TriggerExpectationRule;
import dev.assay.domain.check.text.ContainsRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.trace.Traces;
import dev.assay.domain.usage.Measured;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FastSkillChecksTest {

    @TestFactory
    Stream<DynamicTest> checks() {
        return Vectors.tests(
                "fastskill.json",
                Map.of("runCheck", FastSkillChecksTest::assertCheck),
                "promptsCsv",
                "checksToml",
                "evalToml",
                "runCheck",
                "trialStatus",
                "artifacts",
                "runDirectory");
    }

    private static void assertCheck(JsonNode input, JsonNode expected) {
        String jsonLines = input.get("traceJsonl").textValue();
        Set<String> files = new HashSet<>();
        input.get("files").forEach(file -> files.add(file.textValue()));
        Check check = read(input.get("check"));
        Evidence evidence = new Evidence(input.get("stdout").textValue(), Traces.read(jsonLines), files, 0);

        assertThat(check.evaluate(input("ignored", List.of(), evidence)).status() == Status.PASSED)
                .isEqualTo(expected.get("passed").booleanValue());
    }

    private static Check read(JsonNode node) {
        Problems problems = new Problems();
        Check check = CheckReader.readFastSkill(node, "check", problems);
        assertThat(problems.errors()).isEmpty();
        return Objects.requireNonNull(check);
    }

    private static CheckInput input(String response, List<Message> messages, Evidence evidence) {
        return new CheckInput(response, messages, null, Measured.NONE, evidence, OfferedTools.UNKNOWN);
    }

    private static final List<Message> CONVERSATION = List.of(
            Message.user("Push with git push, please."),
            new Message(
                    Role.ASSISTANT,
                    List.of(
                            new Content.Thinking("secret plan"),
                            new Content.ToolCall("c1", "bash", Json.tree("{\"cmd\":\"git push\"}"))),
                    null),
            new Message(Role.TOOL, List.of(new Content.Text("done")), new Message.ToolResult("c1", "bash", false)),
            Message.assistant("Pushed."));

    @Test
    void shouldTellWhatAModelSaidAndCalledWhenItsMessagesAreTheTrace() {
        assertThat(Traces.jsonLines(Traces.of(CONVERSATION))).isEqualTo("""
            {"seq":0,"payload":{"type":"tool_use","call_id":"c1","tool_name":"bash","input":{"cmd":"git push"}}}
            {"seq":1,"payload":{"type":"tool_result","call_id":"c1","output":"done","is_error":false}}
            {"seq":2,"payload":{"type":"message","text":"Pushed.","role":"assistant"}}\
            """);
        assertThat(Traces.commands(Traces.of(CONVERSATION))).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "Pushed., true",
        "\"\"cmd\"\":\"\"git push\"\", true",
        "'\"cmd\":\"git push\"', true",
        "please, false",
        "secret plan, false",
        "PUSHED, false",
        "Push.d, false",
    })
    void shouldSearchAnswerAndTraceLiterallyWhenAModelAnswered(String pattern, boolean contained) {
        CheckInput input = input("Pushed.", CONVERSATION, Evidence.NONE);
        Status status = new Check(new CommandContainsRule(pattern.replace("\"\"", "\"")), true)
                .evaluate(input)
                .status();
        assertThat(status).isEqualTo(contained ? Status.PASSED : Status.FAILED);
    }

    @Test
    void shouldNotBeDecidedWhenAFileIsAskedOfAModel() {
        CheckResult result = new Check(new FileExistsRule("out.md"), true).evaluate(CheckInput.of("Done"));
        assertThat(result.status()).isEqualTo(Status.UNSCORED);
        assertThat(result.score()).isNull();
    }

    @Test
    void shouldFindPathsHoweverTheyAreWrittenWhenFilesExist() {
        Evidence evidence = new Evidence("", List.of(), Set.of("./sub/../a b", "dir/file"), 0);
        for (String there : List.of("a b", "./a b", "dir", "dir/", "dir/x/../file", ".")) {
            assertThat(new Check(new FileExistsRule(there), true)
                            .evaluate(input("", List.of(), evidence))
                            .status())
                    .as(there)
                    .isEqualTo(Status.PASSED);
        }
        for (String missing : List.of("a", "di", "dir/fil", "sub", "A b")) {
            assertThat(new Check(new FileExistsRule(missing), true)
                            .evaluate(input("", List.of(), evidence))
                            .status())
                    .as(missing)
                    .isEqualTo(Status.FAILED);
        }
    }

    @Test
    void shouldNameTheFilesWhenChecksAskForSome() {
        List<Check> checks = List.of(
                new Check(new FileExistsRule("b"), true),
                new Check(new ContainsRule("x"), true),
                new Check(new FileExistsRule("a/"), false));
        assertThat(new Checks(checks).filesAskedFor()).containsExactly("b", "a/");
    }

    @Test
    void shouldBeTheSameWhenStoredAndReadBack() throws JsonProcessingException {
        List<Check> checks = List.of(
                new Check(new TriggerExpectationRule("a", false), false),
                new Check(new CommandContainsRule("\u0001\"ä"), true),
                new Check(new FileExistsRule("a/b"), true),
                new Check(new MaxCommandCountRule(1_000_000_000_000L), true));
        String stored = Json.write(checks);
        assertThat(stored).startsWith("[{\"type\":\"trigger_expectation\",\"pattern\":\"a\",\"expected\":false,");
        assertThat(Json.mapper().readValue(stored, Check[].class)).containsExactlyElementsOf(checks);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"type": "trigger_expectation", "pattern": "x"} | expected
        {"type": "trigger_expectation", "pattern": "", "expected": true} | pattern
        {"type": "trigger_expectation", "pattern": "x", "expected": "yes"} | expected
        {"type": "command_contains", "value": "x", "pattern": "x"} | value
        {"type": "file_exists", "path": "../x"} | path
        {"type": "file_exists", "path": "a/../../x"} | path
        {"type": "file_exists", "path": "/etc"} | path
        {"type": "file_exists", "path": "a\\\\..\\\\..\\\\b"} | path
        {"type": "file_exists", "path": "a\\nb"} | path
        {"type": "file_exists", "path": " "} | path
        {"type": "max_command_count"} | limit
        {"type": "max_command_count", "limit": -1} | limit
        {"type": "max_command_count", "limit": 1.5} | limit
        """)
    void shouldNameTheFieldWhenACheckIsWrong(String json, String field) {
        Problems problems = new Problems();
        CheckReader.read(Json.tree(json), "checks[0]", problems);
        assertThat(problems.errors()).extracting(error -> error.path()).containsExactly("checks[0]." + field);
    }
}
