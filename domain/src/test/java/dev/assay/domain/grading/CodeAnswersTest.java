package dev.assay.domain.grading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.agent.AgentCode;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.grading.CodeAnswers.Answer;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodeAnswersTest {

    private static Answer read(String json) {
        return CodeAnswers.read(new CodeReply.Returned(Json.tree(json), null), "own.py");
    }

    private static Answer.Given given(String json) {
        return (Answer.Given) read(json);
    }

    @Test
    void shouldTakeWhatTheCodeReports() {
        Answer.Given given = given("""
            {"output": "Paris", "tokenUsage": {"prompt": 7, "completion": 2, "total": 11, "cached": 3}, "cost": 0.25,
             "metadata": {"any": [1]}}
            """);
        assertThat(given)
                .isEqualTo(new Answer.Given(
                        "Paris", new Usage(7L, 2L, null, 3L, null, 11L), new BigDecimal("0.25"), List.of()));
        assertThat(given("{\"output\": \"\", \"error\": null, \"cost\": 0}"))
                .isEqualTo(new Answer.Given("", Usage.UNKNOWN, BigDecimal.ZERO, List.of()));
        assertThat(given("{\"output\": \"x\", \"tokenUsage\": {\"prompt\": 1, \"completion\": 2}}")
                        .usage()
                        .total())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"a": [1, "b"]} | {"a":[1,"b"]}
        []              | []
        5               | 5
        false           | false
        """)
    void shouldWriteAnOutputThatIsNoTextAsCompactJson(String output, String text) {
        assertThat(given("{\"output\": " + output + "}").text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "\"Paris\"",
                "3",
                "true",
                "{\"text\": \"x\"}",
                "{\"output\": null}",
                "{\"output\": null, \"error\": \"\"}",
                "{\"error\": null}",
                "{\"error\": false}"
            })
    void shouldFindNoAnswerWithoutOutputAndError(String json) {
        assertThat(read(json))
                .isInstanceOfSatisfying(
                        Answer.Nothing.class,
                        nothing -> assertThat(nothing.why()).contains("`output` or `error`"));
    }

    @Test
    void shouldSayWhatTheCodeSaysOnOneLine() {
        assertThat(read("{\"error\": \"said\\u0000 no\\u001b[31m\\nthen\", \"output\": \"x\"}"))
                .isEqualTo(new Answer.Nothing("The code of own.py says: said no [31m then"));
        assertThat(read("{\"error\": {\"code\": 3}}"))
                .isEqualTo(new Answer.Nothing("The code of own.py says: {\"code\":3}"));
        assertThat(CodeAnswers.read(new CodeReply.Raised("ValueError: a\u0000b\u001b]0;x"), "own.py"))
                .isEqualTo(new Answer.Nothing("The code of own.py raised: ValueError: a b ]0;x"));
        assertThat(CodeAnswers.read(new CodeReply.Returned(Json.tree("null"), "undefined"), "own.js"))
                .isInstanceOfSatisfying(
                        Answer.Nothing.class,
                        nothing -> assertThat(nothing.why()).endsWith("returned undefined."));
        assertThat(((Answer.Nothing) read("{\"error\": \"" + "x".repeat(100_000) + "\"}")).why())
                .hasSizeLessThan(2_100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "\"1\"", "1e12", "1e999999", "true", "{}"})
    void shouldLeaveACostUnknownThatIsNone(String cost) {
        Answer.Given given = given("{\"output\": \"x\", \"cost\": " + cost + "}");
        assertThat(given.costUsd()).isNull();
        assertThat(given.warnings()).singleElement().asString().contains("`cost`", "unknown");
        assertThat(given("{\"output\": \"x\"}").costUsd()).as("not said").isNull();
        assertThat(given("{\"output\": \"x\", \"cost\": null}").warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "99999999999", "1e999", "\"3\"", "[]"})
    void shouldLeaveTokensUnknownThatAreNone(String tokens) {
        Answer.Given given = given(
                "{\"output\": \"x\", \"tokenUsage\": {\"prompt\": " + tokens + ", \"completion\": 4, \"total\": 9}}");
        assertThat(given.usage()).isEqualTo(new Usage(null, 4L, null, null, null, 9L));
        assertThat(given.warnings()).singleElement().asString().contains("`tokenUsage.prompt`", "unknown");
    }

    @Test
    void shouldAskInThePlaceThatEachLanguageHas() {
        Map<String, JsonNode> vars = Map.of("want", TextNode.valueOf("Paris"));
        AgentCode python =
                new AgentCode(new Script(CodeLanguage.PYTHON, null, "own.py", null), Json.tree("{\"a\": 1}"), null);
        CodeRequest request = CodeAnswers.request(python, "p", "Ask", vars, 7);
        assertThat(request.form()).isEqualTo(CodeRequest.Form.PAID);
        assertThat(request.stays()).isTrue();
        assertThat(request.timeoutSeconds()).isEqualTo(7);
        assertThat(request.json()).isEqualTo(Json.tree("""
            {"call": "provider", "use": "provider", "file": "own.py", "function": "call_api",
             "options": {"id": "python:own.py", "label": "p", "config": {"a": 1}},
             "arguments": ["Ask", {"id": "python:own.py", "label": "p", "config": {"a": 1}},
                           {"vars": {"want": "Paris"}, "prompt": "Ask"}]}
            """));
        AgentCode javaScript = new AgentCode(new Script(CodeLanguage.JAVASCRIPT, null, "own.js", "Mine"), null, null);
        assertThat(CodeAnswers.request(javaScript, "j", "Ask", Map.of(), 7).json())
                .isEqualTo(Json.tree("""
                    {"call": "provider", "use": "provider", "file": "own.js", "function": "Mine",
                     "options": {"id": "javascript:own.js:Mine", "label": "j", "config": {}},
                     "arguments": ["Ask", {"vars": {}, "prompt": "Ask"},
                                   {"id": "javascript:own.js:Mine", "label": "j", "config": {}}]}
                    """));
    }

    @Test
    void shouldAskAConversationAsJson() {
        assertThat(CodeAnswers.prompt(null, List.of(Message.user("Hi")))).isEqualTo("Hi");
        assertThat(CodeAnswers.prompt("Be brief", List.of(Message.user("Hi")))).isEqualTo("""
            [
              {
                "role": "system",
                "content": "Be brief"
              },
              {
                "role": "user",
                "content": "Hi"
              }
            ]\
            """);
        assertThat(Json.tree(CodeAnswers.prompt(
                        null, List.of(Message.user("Hi"), Message.assistant("Yes?"), Message.user("Bye")))))
                .isEqualTo(Json.tree("""
                    [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"},
                     {"role": "user", "content": "Bye"}]
                    """));
    }

    /** Any JSON that a process may print is an answer or a reason. */
    @RepeatedTest(200)
    void shouldUnderstandAnyReply(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        JsonNode reply = CodeReply.json(any(random, 3));
        if (reply != null) {
            assertThat(CodeAnswers.read(new CodeReply.Returned(reply, null), "own.py"))
                    .isNotNull();
        }
    }

    private static String any(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 9)) {
            case 0 -> "null";
            case 1 -> "-" + random.nextInt(10) + "e" + random.nextInt(100_000);
            case 2 -> "true";
            case 3 -> "\"\\u0000\\ud800\\u001b\"";
            case 4 -> "1" + "0".repeat(random.nextInt(2_000));
            case 5 -> "0.5";
            case 6 -> "[" + any(random, depth - 1) + "]";
            default ->
                "{\"output\": %s, \"error\": %s, \"cost\": %s, \"tokenUsage\": {\"prompt\": %s, \"total\": %s}}"
                        .formatted(
                                any(random, depth - 1),
                                random.nextBoolean() ? "null" : any(random, depth - 1),
                                any(random, depth - 1),
                                any(random, 0),
                                any(random, 0));
        };
    }
}
