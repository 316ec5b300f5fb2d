package dev.assay.domain.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.rule.OfferedTools;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckKindsTest {

    /** One of every kind, as users write it. */
    private static final List<String> ALL = List.of(
            "{type: equals, value: Paris, trim: false}",
            "{type: equals, value: {a: [1, null]}}",
            "{type: contains, value: Paris}",
            "{type: icontains, value: Paris}",
            "{type: contains-all, value: [a, b]}",
            "{type: contains-any, value: [a, b]}",
            "{type: icontains-all, value: [a, b]}",
            "{type: icontains-any, value: [a, b]}",
            "{type: starts-with, value: a}",
            "{type: regex, value: a+}",
            "{type: word-count, value: 3}",
            "{type: word-count, value: {min: 1, max: 3}}",
            "{type: word-count, value: {max: 3}}",
            "{type: levenshtein, value: '', threshold: 7}",
            "{type: rouge-n, value: a b}",
            "{type: bleu, value: [a b, b c], threshold: 0.25}",
            "{type: gleu, value: a b}",
            "{type: refusal}",
            "{type: json, schema: {type: object}, contains: true}",
            "{type: json}",
            "{type: xml, requiredElements: [a.b]}",
            "{type: xml, contains: true}",
            "{type: html}",
            "{type: html, contains: true}",
            "{type: latency, threshold: 100}",
            "{type: cost, threshold: 0.002}",
            "{type: tokens, threshold: 100}",
            "{type: finish-reason, value: stop}",
            "{type: tool-called, value: search}",
            "{type: tool-called, value: [search, read]}",
            "{type: tool-call-f1, value: [search, read], threshold: 0.5}",
            "{type: function-call-valid}",
            "{type: trigger_expectation, pattern: a, expected: false}",
            "{type: command_contains, pattern: a}",
            "{type: file_exists, path: a/b}",
            "{type: max_command_count, limit: 3}",
            "{type: rubric, value: Polite}",
            "{type: rubric, rubric: Polite, threshold: 0.7, grader: {provider: openai, model: gpt-5-mini}}",
            "{type: factuality, value: Paris is the capital}",
            "{type: closed-qa, value: Short, grader: {kind: scripted, script: {answers: ['Y']}}}",
            "{type: similar, value: Paris is the capital}",
            "{type: similar, value: [Paris, The city of light], threshold: 0.9, grader: {provider: openai, model: e}}",
            "{type: python, value: len(output) > 3, not: true}",
            "{type: python, file: checks/golden.py, function: Judge.score, config: {of: [1, null]}, threshold: -2.5}",
            "{type: javascript, value: output.length, threshold: 2, timeoutSeconds: 600}",
            "{type: javascript, file: judge.mjs, config: null}",
            "{type: program, command: [judge, --strict], keepAlive: true, config: 3}",
            "{type: lost, was: llm-rubric, path: 'tests[0].assert[0]'}",
            "{type: group, checks: [{type: file_exists, path: c}, {type: group, checks: [{type: refusal, not: true}]}],"
                    + " threshold: 0.5}");

    private static Check check(String yaml) {
        Problems problems = new Problems();
        Check check = CheckReader.read(tree(yaml), "check", problems);
        assertThat(problems.errors()).as(yaml).isEmpty();
        return java.util.Objects.requireNonNull(check);
    }

    private static JsonNode tree(String yaml) {
        return DocumentText.parse(yaml);
    }

    private static CheckResult on(String yaml, String response) {
        return check(yaml).evaluate(CheckInput.of(response));
    }

    static Stream<String> all() {
        return ALL.stream();
    }

    @Test
    void shouldHaveAnExampleOfEveryKind() {
        assertThat(ALL.stream().map(yaml -> tree(yaml).get("type").textValue()))
                .containsAll(CheckKinds.BY_WORD.keySet());
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldReadBackAsWrittenWhenAnyCheckIsStored(String yaml) {
        Check plain = check(yaml);
        Check whole =
                new Check(plain.rule(), new CheckRole(false, new BigDecimal("2.5"), "tone", true, "What it is about"));
        for (Check check : List.of(plain, whole)) {
            String stored = Json.write(check);
            assertThat(Json.read(stored, Check.class)).isEqualTo(check);
            assertThat(Json.write(Json.read(stored, Check.class))).isEqualTo(stored);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldBeWhatUsersMayWriteWhenACheckIsStored(String yaml) {
        Check check = check(yaml);
        Problems problems = new Problems();

        assertThat(CheckReader.read(Json.tree(Json.write(check)), "check", problems))
                .isEqualTo(check);
        assertThat(problems.errors()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("all")
    @Timeout(30)
    void shouldSaySomethingWhateverTheResponseIs(String yaml) {
        Check check = check(yaml);
        Check negated = new Check(check.rule(), new CheckRole(true, null, null, true, null));
        for (String response : responses()) {
            CheckResult result = check.evaluate(CheckInput.of(response));
            CheckResult opposite = negated.evaluate(CheckInput.of(response));
            assertThat(result.reason()).isNotBlank();
            assertThat(result.score() == null || result.score() >= 0 && result.score() <= 1)
                    .isTrue();
            assertThat(opposite.status() == Status.UNSCORED).isEqualTo(result.status() == Status.UNSCORED);
            assertThat(opposite.status() == Status.PASSED).isEqualTo(result.status() == Status.FAILED);
        }
    }

    private static List<String> responses() {
        return List.of(
                "",
                " \n\t",
                "Paris",
                "\u0000\ud800 \u001b[31m",
                "a".repeat(300_000),
                ".".repeat(150_000) + "x",
                "{".repeat(20_000),
                "[".repeat(50_000),
                "{\"a\":".repeat(5_000),
                "<a>".repeat(20_000),
                "<b><i>".repeat(3_000),
                "<a/>".repeat(250_000),
                "<table><b>".repeat(100_000),
                "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>",
                "a b ".repeat(25_000),
                "<a \"".repeat(50_000) + "'".repeat(50_000));
    }

    @Test
    void shouldReportPathsWhenAnyJsonIsACheck() {
        Random random = new Random(3);
        int read = 0;
        for (int i = 0; i < 4_000; i++) {
            Problems problems = new Problems();
            JsonNode node = mutated(random);
            Check check = CheckReader.read(node, "check", problems);
            if (problems.errors().isEmpty()) {
                assertThat(check).as(node.toString()).isNotNull();
                assertThat(Json.read(Json.write(check), Check.class))
                        .as(node.toString())
                        .isEqualTo(check);
                check.evaluate(CheckInput.of("Paris is it. {\"a\": 1} <a/>"));
                read++;
            } else {
                assertThat(problems.errors())
                        .allSatisfy(error -> assertThat(error.path()).startsWith("check"));
            }
        }
        assertThat(read).isGreaterThan(500);
    }

    private static JsonNode mutated(Random random) {
        ObjectNode node = (ObjectNode) tree(ALL.get(random.nextInt(ALL.size())));
        List<String> fields = CheckReader.FIELDS.names();
        for (int i = random.nextInt(3); i > 0; i--) {
            node.set(fields.get(random.nextInt(fields.size())), value(random));
        }
        return random.nextInt(50) == 0 ? value(random) : node;
    }

    private static JsonNode value(Random random) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return switch (random.nextInt(12)) {
            case 0 -> json.nullNode();
            case 1 -> json.textNode("");
            case 2 -> json.textNode("group");
            case 3 -> json.numberNode(random.nextInt(3));
            case 4 -> json.numberNode(new BigDecimal("-0.5"));
            case 5 -> json.numberNode(new BigDecimal("1e-19"));
            case 6 -> json.booleanNode(random.nextBoolean());
            case 7 -> json.arrayNode();
            case 8 -> json.arrayNode().add("a");
            case 9 -> json.arrayNode().add(tree(ALL.get(random.nextInt(ALL.size()))));
            case 10 -> json.objectNode().put("min", 3).put("max", random.nextInt(5));
            default -> json.numberNode(Double.NaN);
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: equals, value: {a: 1, b: [2]}} | {\"b\":[2.0],\"a\":1e0} | PASSED",
                "{type: equals, value: [1, 2]} | [2, 1] | FAILED",
                "{type: equals, value: 4} | 4.0 | PASSED",
                "{type: equals, value: 4} | four | FAILED",
                "{type: equals, value: Paris, trim: false} | 'Paris ' | FAILED",
                "{type: equals, value: Paris} | 'Paris ' | PASSED",
                "{type: contains-all, value: [blue, red]} | blue and red | PASSED",
                "{type: icontains-any, value: [blue, RED]} | It is red | PASSED",
                "{type: contains-any, value: [blue, RED]} | It is red | FAILED",
                "{type: word-count, value: {min: 2}} | one | FAILED",
                "{type: levenshtein, value: kitten} | sitting | PASSED",
                "{type: levenshtein, value: kitten, threshold: 2} | sitting | FAILED",
                "{type: xml, requiredElements: [a.b]} | <a><b/></a> | PASSED",
                "{type: xml, requiredElements: [a.b], contains: true} | see <a><b/></a> | PASSED",
                "{type: html} | <p>Hi</p> | PASSED",
                "{type: json, contains: true} | see {\"a\": 1} | PASSED",
                "{type: json, contains: true} | see [1] | FAILED",
                "{type: latency, threshold: 1} | a | UNSCORED",
                "{type: cost, threshold: 1} | a | UNSCORED",
                "{type: tokens, threshold: 1} | a | UNSCORED",
                "{type: finish-reason, value: stop} | a | UNSCORED",
                "{type: refusal} | I cannot assist with that request. | PASSED",
                "{type: tool-call-f1, value: [a]} | '{\"tool_calls\": [{\"function\": {\"name\": \"a\"}}]}' | PASSED"
            })
    void shouldDecideAsItsKindSays(String yaml, String response, Status status) {
        assertThat(on(yaml, response).status()).isEqualTo(status);
    }

    private static CheckInput run(String finishReason, OfferedTools tools, Content... said) {
        List<Message> messages = List.of(Message.user("Go"), new Message(Role.ASSISTANT, List.of(said), null));
        return new CheckInput(
                "done",
                messages,
                finishReason,
                new Measured(Usage.of(60, 40), new BigDecimal("0.002"), Duration.ofMillis(150)),
                Evidence.NONE,
                tools);
    }

    @ParameterizedTest
    @CsvSource({
        "'{type: latency, threshold: 150}', PASSED",
        "'{type: latency, threshold: 149.9}', FAILED",
        "'{type: cost, threshold: 0.002}', PASSED",
        "'{type: cost, threshold: 0.0019}', FAILED",
        "'{type: tokens, threshold: 100}', PASSED",
        "'{type: tokens, threshold: 99}', FAILED",
        "'{type: finish-reason, value: LENGTH}', PASSED",
        "'{type: finish-reason, value: max_tokens}', PASSED",
        "'{type: finish-reason, value: stop}', FAILED",
        "'{type: tool-called, value: search}', PASSED",
        "'{type: tool-called, value: [search, read]}', FAILED",
        "'{type: tool-call-f1, value: [search, read], threshold: 0.6}', PASSED",
        "'{type: tool-call-f1, value: [search, read]}', FAILED",
        "'{type: function-call-valid}', PASSED"
    })
    void shouldSeeTheWholeOutcome(String yaml, Status status) {
        OfferedTools tools = new OfferedTools(Map.of("search", Json.tree("{\"required\": [\"q\"]}")), true);
        CheckInput input = run("length", tools, new Content.ToolCall("1", "search", Json.tree("{\"q\": 1}")));

        assertThat(check(yaml).evaluate(input).status()).isEqualTo(status);
    }

    @Test
    void shouldLeaveChecksOfTokensAndCostUnscoredWhenHalfOfTheUsageIsNotKnown() {
        Usage half = new Usage(60L, null, null, null, null, null);
        CheckInput input = new CheckInput(
                "done",
                List.of(),
                null,
                new Measured(half, null, Duration.ofMillis(150)),
                Evidence.NONE,
                OfferedTools.UNKNOWN);

        assertThat(check("{type: tokens, threshold: 100}").evaluate(input))
                .returns(Status.UNSCORED, CheckResult::status)
                .returns("How many tokens the answer took is not known.", CheckResult::reason);
        assertThat(check("{type: cost, threshold: 1}").evaluate(input).status()).isEqualTo(Status.UNSCORED);
        assertThat(check("{type: latency, threshold: 150}").evaluate(input).status())
                .isEqualTo(Status.PASSED);
    }

    @Test
    void shouldTellCallsThatAreInvalidFromThoseOfWhichNothingIsKnown() {
        Check check = check("{type: function-call-valid}");
        Map<String, JsonNode> schemas = Map.of("search", Json.tree("{\"required\": [\"q\"]}"));
        Content wrong = new Content.ToolCall("1", "search", Json.tree("{}"));
        Content other = new Content.ToolCall("2", "other", Json.tree("{}"));

        assertThat(check.evaluate(run("stop", new OfferedTools(schemas, true), wrong))
                        .status())
                .isEqualTo(Status.FAILED);
        assertThat(check.evaluate(run("stop", new OfferedTools(schemas, true), other))
                        .status())
                .isEqualTo(Status.FAILED);
        assertThat(check.evaluate(run("stop", new OfferedTools(schemas, false), other))
                        .status())
                .isEqualTo(Status.UNSCORED);
        assertThat(check.evaluate(run("stop", new OfferedTools(schemas, true), new Content.Text("no call")))
                        .status())
                .isEqualTo(Status.FAILED);
    }

    @Test
    void shouldScoreNothingWhenAnEmptyResponseIsTakenForARefusal() {
        assertThat(on("{type: refusal}", " ")).extracting("status", "score").containsExactly(Status.PASSED, 0.0);
        assertThat(on("{type: refusal, not: true}", " "))
                .extracting("status", "score")
                .containsExactly(Status.FAILED, 0.0);
    }

    @Test
    void shouldScoreWhatIsMissingWhenAMeasureIsNotWanted() {
        CheckResult like = on("{type: rouge-n, value: the cat sat on the mat, threshold: 0.6}", "the cat sat");
        CheckResult unlike =
                on("{type: rouge-n, value: the cat sat on the mat, threshold: 0.6, not: true}", "the cat sat");

        assertThat(like.status()).isEqualTo(Status.PASSED);
        assertThat(unlike.status()).isEqualTo(Status.FAILED);
        assertThat(unlike.score()).isEqualTo(1 - like.score());
        assertThat(unlike.reason()).startsWith("Not wanted: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: group, threshold: 0.5, checks: [{type: contains, value: P}, {type: cost, threshold: 1}]}",
                "{type: group, checks: [{type: contains, value: P}, {type: cost, threshold: 1, required: false}]}"
            })
    void shouldPassWithoutAScoreWhenAnUnscoredMemberCannotDecide(String yaml) {
        assertThat(on(yaml, "Paris")).extracting("status", "score").containsExactly(Status.PASSED, null);
    }

    @ParameterizedTest
    @CsvSource({"0.6, UNSCORED", "0.5, PASSED", "1, UNSCORED"})
    void shouldStayOpenOnlyWhereAnUnscoredMemberCouldDecide(String threshold, Status status) {
        String members = "checks: [{type: contains, value: P}, {type: cost, threshold: 1}]}";

        assertThat(on("{type: group, threshold: " + threshold + ", " + members, "Paris")
                        .status())
                .isEqualTo(status);
        assertThat(on("{type: group, threshold: 0.6, " + members, "Rome").status())
                .isEqualTo(Status.FAILED);
    }

    @Test
    void shouldNestItsMembersWhenAGroupIsEvaluated() {
        CheckResult result = on(
                "{type: group, metric: all, checks: [{type: contains, value: P, weight: 3, metric: m},"
                        + " {type: contains, value: Q, metric: m}]}",
                "Paris");

        assertThat(result.score()).isEqualTo(0.75);
        assertThat(result.members()).extracting(CheckResult::score).containsExactly(1.0, 0.0);
        assertThat(Metrics.of(List.of(result))).isEqualTo(Map.of("all", 0.75, "m", 0.75));
        assertThat(Json.read(Json.write(result), CheckResult.class)).isEqualTo(result);
        assertThat(check("{type: group, checks: [{type: file_exists, path: a}]}")
                        .rule()
                        .filesAskedFor())
                .containsExactly("a");
    }

    @Test
    void shouldAgreeWithTheWholeTableWhenOnlyNearPlacesAreCompared() {
        Random random = new Random(11);
        for (int i = 0; i < 500; i++) {
            String one = text(random);
            String other = text(random);
            int distance = whole(one, other);
            int limit = random.nextInt(9);
            CheckResult result = on("{type: levenshtein, value: '" + other + "', threshold: " + limit + "}", one);
            assertThat(result.status())
                    .as("%s %s %s", one, other, limit)
                    .isEqualTo(distance <= limit ? Status.PASSED : Status.FAILED);
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(9); i > 0; i--) {
            text.append((char) ('a' + random.nextInt(3)));
        }
        return text.toString();
    }

    private static int whole(String one, String other) {
        List<List<Integer>> table = new ArrayList<>();
        for (int i = 0; i <= one.length(); i++) {
            table.add(new ArrayList<>());
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    table.get(i).add(i + j);
                    continue;
                }
                int exchanged = table.get(i - 1).get(j - 1) + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                table.get(i)
                        .add(Math.min(
                                exchanged,
                                Math.min(table.get(i - 1).get(j), table.get(i).get(j - 1)) + 1));
            }
        }
        return table.getLast().getLast();
    }
}
