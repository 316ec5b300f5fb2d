package dev.assay.domain.check.code;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.NamedScore;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeVerdictTest {

    private static final CheckRole NOT = new CheckRole(true, null, null, true, null);

    private static Finding finding(String result, CodeLanguage language, @Nullable String threshold, CheckRole role) {
        return rule(language, threshold)
                .finding(CodeReply.read(Json.tree("{\"id\": 1, \"result\": " + result + "}")), role);
    }

    private static CodeRule rule(CodeLanguage language, @Nullable String threshold) {
        BigDecimal least = threshold == null ? null : new BigDecimal(threshold);
        return language == CodeLanguage.PROGRAM
                ? new ProgramRule(List.of("judge"), false, null, least, 30)
                : new ScriptRule(language, "output", null, null, null, least, 30);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        true                                         | JAVASCRIPT | -   | PASSED | 1    | FAILED | 0
        false                                        | PYTHON     | -   | FAILED | 0    | PASSED | 1
        0.25                                         | JAVASCRIPT | -   | PASSED | 0.25 | FAILED | 0.25
        0                                            | JAVASCRIPT | -   | FAILED | 0    | PASSED | 0
        -3                                           | PYTHON     | -   | FAILED | -3   | PASSED | -3
        5                                            | JAVASCRIPT | -   | PASSED | 5    | FAILED | 5
        0.25                                         | PYTHON     | 0.5 | FAILED | 0.25 | PASSED | 0.25
        0                                            | PROGRAM    | 0   | PASSED | 0    | FAILED | 0
        {"pass": true, "score": 0.5, "reason": "r"}  | JAVASCRIPT | 0.9 | PASSED | 0.5  | FAILED | 0.5
        {"pass": true, "score": 0.5, "reason": "r"}  | PYTHON     | 0.9 | FAILED | 0.5  | PASSED | 0.5
        {"pass": false, "score": 1, "reason": "r"}   | PROGRAM    | 0.9 | FAILED | 1    | PASSED | 1
        {"pass_": true, "score": 1, "reason": "r"}   | PYTHON     | -   | PASSED | 1    | FAILED | 1
        {"pass_": true, "score": 1, "reason": "r"}   | JAVASCRIPT | -   | FAILED | 0    | FAILED | 0
        "TRUE"                                       | PYTHON     | -   | PASSED | 1    | FAILED | 0
        "TRUE"                                       | JAVASCRIPT | -   | FAILED | 0    | FAILED | 0
        "  .5 of all"                                | PROGRAM    | -   | PASSED | 0.5  | FAILED | 0.5
        "1e400"                                      | PROGRAM    | -   | FAILED | 0    | FAILED | 0
        "{}"                                         | PROGRAM    | -   | FAILED | 0    | FAILED | 0
        "{\\"pass\\": true, \\"score\\": 1, \\"reason\\": \\"\\"} x" | PROGRAM | - | FAILED | 0 | FAILED | 0
        "{\\"pass\\": true, \\"score\\": 1, \\"reason\\": \\"\\"}"   | PROGRAM | - | PASSED | 1 | FAILED | 1
        "good"                                       | PYTHON     | -   | FAILED | 0    | FAILED | 0
        null                                         | PYTHON     | -   | FAILED | 0    | FAILED | 0
        []                                           | JAVASCRIPT | -   | FAILED | 0    | FAILED | 0
        {"pass": true, "score": "1", "reason": "r"}  | JAVASCRIPT | -   | FAILED | 0    | FAILED | 0
        {"pass": true, "score": 1}                   | JAVASCRIPT | -   | FAILED | 0    | FAILED | 0
        {"pass": true, "score": 1, "reason": "r", "componentResults": null} | JAVASCRIPT | - | FAILED | 0 | FAILED | 0
        {"pass": true, "score": 1, "reason": "r", "namedScores": null}      | JAVASCRIPT | - | PASSED | 1 | FAILED | 1
        """)
    void shouldJudgeWhatCodeReturns(
            String result,
            CodeLanguage language,
            @Nullable String threshold,
            Status status,
            double value,
            Status turned,
            double turnedValue) {
        assertJudged(finding(result, language, threshold, CheckRole.REQUIRED), status, value);
        assertJudged(finding(result, language, threshold, NOT), turned, turnedValue);
    }

    private static void assertJudged(Finding finding, Status status, double value) {
        assertThat(finding.status()).as(finding.reason()).isEqualTo(status);
        assertThat(finding.value() == null ? finding.score() : finding.value()).isEqualTo(value);
        assertThat(finding.score()).isEqualTo(Math.clamp(value, 0.0, 1.0));
        assertThat(finding.reason()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "RAISED, FAILED",
        "SYNTAX, UNSCORED",
        "MALFORMED, UNSCORED",
        "NEW, UNSCORED",
    })
    void shouldFailWhatRaisesAndLeaveOpenWhatDidNotRun(String kind, Status status) {
        JsonNode reply = Json.tree("{\"id\": 1, \"error\": {\"kind\": \"%s\", \"message\": \"m\"}}".formatted(kind));
        for (CheckRole role : List.of(CheckRole.REQUIRED, NOT)) {
            Finding finding = rule(CodeLanguage.PYTHON, null).finding(CodeReply.read(reply), role);
            assertThat(finding.status()).isEqualTo(status);
            assertThat(finding.score()).isEqualTo(status == Status.FAILED ? 0.0 : null);
            assertThat(finding.reason()).contains("m");
        }
    }

    @Test
    void shouldNameWhatJsonHasNoValueFor() {
        CodeReply nan = CodeReply.read(Json.tree("{\"id\": 1, \"result\": null, \"type\": \"NaN\"}"));
        CodeReply nothing = CodeReply.read(Json.tree("{\"id\": 1, \"result\": null, \"type\": \"undefined\"}"));

        assertThat(rule(CodeLanguage.JAVASCRIPT, null).finding(nan, NOT))
                .isEqualTo(Finding.failed("The code returned no finite number: NaN"));
        assertThat(rule(CodeLanguage.JAVASCRIPT, null).finding(nothing, CheckRole.REQUIRED))
                .isEqualTo(Finding.failed("The code returned no verdict: undefined"));
    }

    @Test
    void shouldKeepScoresByNameAndPartsWithinBounds() {
        String many = IntStream.range(0, 300)
                .mapToObj(i -> "\"n%d\": %d".formatted(i, i))
                .collect(java.util.stream.Collectors.joining(", ", "{", "}"));
        String part = "{\"pass\": true, \"score\": 0.5, \"reason\": \"x\"}";
        String parts = IntStream.range(0, 300)
                .mapToObj(i -> i == 0 ? part.replace("}", ", \"componentResults\": [" + part + "]}") : part)
                .collect(java.util.stream.Collectors.joining(", ", "[", "]"));
        Finding finding = finding(
                "{\"pass\": true, \"score\": 1, \"reason\": \"%s\", \"namedScores\": %s, \"namedScoreWeights\": {\"n1\": 3}, \"componentResults\": %s}"
                        .formatted("\\u0000" + "r".repeat(3_000), many, parts),
                CodeLanguage.JAVASCRIPT,
                null,
                CheckRole.REQUIRED);

        assertThat(finding.named()).hasSize(100).containsEntry("n1", new NamedScore(1, 3));
        assertThat(finding.members()).hasSize(99);
        assertThat(finding.members().getFirst().members()).hasSize(1);
        assertThat(finding.members()).noneMatch(CheckResult::required);
        assertThat(finding.reason()).hasSize(2_000).startsWith("\uFFFDr").endsWith("…");
    }

    /** Whatever JSON it is: a finding, and one that can be stored. */
    @Test
    void shouldFindSomethingInAnyReply() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            JsonNode reply = random(random, 4);
            for (CodeLanguage language : CodeLanguage.values()) {
                Finding finding = rule(language, random.nextBoolean() ? null : "0.5")
                        .finding(CodeReply.read(reply), random.nextBoolean() ? NOT : CheckRole.REPORTED);
                CheckResult result = new CheckResult(language.word(), finding, CheckRole.REPORTED);
                assertThat(Json.read(Json.write(result), CheckResult.class)).isEqualTo(result);
            }
        }
    }

    private static final List<String> NAMES = List.of(
            "id",
            "result",
            "error",
            "type",
            "kind",
            "message",
            "pass",
            "pass_",
            "score",
            "reason",
            "namedScores",
            "namedScoreWeights",
            "componentResults",
            "component_results",
            "comment",
            "\u0000");

    private static JsonNode random(Random random, int depth) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (random.nextInt(depth == 0 ? 5 : 8)) {
            case 0 -> nodes.booleanNode(random.nextBoolean());
            case 1 -> nodes.numberNode(random.nextGaussian() * 2);
            case 2 -> nodes.nullNode();
            case 3 ->
                nodes.textNode(List.of("true", "{", "{}", "1e999", "RAISED", "NaN", "\u0000", "")
                        .get(random.nextInt(8)));
            case 4 -> nodes.numberNode(new BigDecimal("1e" + random.nextInt(1_000)));
            case 5 -> {
                var list = nodes.arrayNode();
                IntStream.range(0, random.nextInt(4)).forEach(_ -> list.add(random(random, depth - 1)));
                yield list;
            }
            default -> {
                var object = nodes.objectNode();
                IntStream.range(0, random.nextInt(NAMES.size()))
                        .forEach(_ -> object.set(NAMES.get(random.nextInt(NAMES.size())), random(random, depth - 1)));
                yield object;
            }
        };
    }
}
