package dev.assay.domain.evaluator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckReader;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import dev.assay.domain.replay.RequestKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheckEvaluatorTest {

    private static final String ENDPOINT = "https://api.openai.com/v1";
    private static final Script STRIP = new Script(CodeLanguage.PYTHON, "output.strip()", null, null);
    private static final Interpreter PYTHON = new Interpreter("python", "/usr/bin/python3", "3.12.3");

    private static Check check(String yaml) {
        Problems problems = new Problems();
        Check check = CheckReader.read(DocumentText.parse(yaml), "check", problems);
        assertThat(problems.errors()).as(yaml).isEmpty();
        return Objects.requireNonNull(check);
    }

    private static String hash(String yaml) {
        return CheckEvaluator.of(check(yaml), UsedCode.NONE).hash();
    }

    private static Agent model(String model, Thinking thinking, String parameters) {
        Map<String, JsonNode> settings = Json.tree(parameters)
                .propertyStream()
                .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return new Agent.Model(new ModelChoice("openai", model, thinking, settings));
    }

    private static Agent script(String answer) {
        return new Agent.Scripted(new Agent.Script(List.of(answer), Duration.ZERO, List.of(), null));
    }

    private static final Agent GRADER = model("gpt-6.1-terra", Thinking.OFF, "{\"temperature\": 0}");

    private static Evaluator graded(String yaml, Agent grader) {
        return CheckEvaluator.of(check(yaml), UsedCode.NONE, grader, ENDPOINT);
    }

    private static UsedCode code(List<Script> transforms, String files, List<String> env, Interpreter... ran) {
        return new UsedCode(transforms, new CodeFiles(files, env), List.of(ran));
    }

    @Test
    void shouldHaveTheHashOfItsDefinitionWhenACheckIsPlain() {
        Evaluator evaluator = CheckEvaluator.of(check("{type: icontains, value: Paris}"), UsedCode.NONE);

        assertThat(evaluator.kind()).isEqualTo("check");
        assertThat(evaluator.definition())
                .isEqualTo("{\"check\":{\"type\":\"icontains\",\"value\":\"Paris\"},\"code\":\"icontains/1\","
                        + "\"kind\":\"check\"}");
        assertThat(evaluator.hash()).isEqualTo("4962e1fa96826c954c4c9775108770fca66d2ca244b6e9dece8046fae2d6faff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"required: false", "weight: 3", "metric: place", "description: What it is about"})
    void shouldBeTheSameWhenOnlyTheRoleDiffers(String role) {
        assertThat(hash("{type: icontains, value: Paris, " + role + "}"))
                .isEqualTo(hash("{type: icontains, value: Paris}"));
    }

    @Test
    void shouldBeAnotherWhenItMaySaySomethingElse() {
        assertThat(Stream.of(
                                "{type: icontains, value: Paris}",
                                "{type: icontains, value: paris}",
                                "{type: contains, value: Paris}",
                                "{type: icontains, value: Paris, not: true}",
                                "{type: similar, value: Paris}",
                                "{type: similar, value: Paris, threshold: 0.8}")
                        .map(CheckEvaluatorTest::hash))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldNameTheGraderWithAllThatItIsAsked() {
        ObjectNode definition = (ObjectNode)
                Json.tree(graded("{type: rubric, value: Polite., grader: {provider: openai, model: other}}", GRADER)
                        .definition());

        assertThat(definition.path("kind").textValue()).isEqualTo("grader");
        assertThat(definition.path("code").textValue()).isEqualTo("rubric/1");
        assertThat(definition.path("check").toString()).isEqualTo("{\"type\":\"rubric\",\"value\":\"Polite.\"}");
        assertThat(definition.path("model").toString())
                .isEqualTo("{\"endpoint\":\"https://api.openai.com/v1\",\"model\":\"gpt-6.1-terra\","
                        + "\"parameters\":{\"temperature\":0},\"provider\":\"openai\",\"thinking\":\"off\"}");
        assertThat(definition.path("systemPrompt").textValue()).matches("[0-9a-f]{64}");
        assertThat(definition.path("prompt").textValue()).matches("[0-9a-f]{64}");
    }

    @Test
    void shouldBeAnotherGraderWhenModelParametersEndpointOrQuestionDiffer() {
        String rubric = "{type: rubric, value: Polite.}";
        assertThat(Stream.of(
                                graded(rubric, GRADER),
                                graded(rubric, model("gpt-6.1-luna", Thinking.OFF, "{\"temperature\": 0}")),
                                graded(rubric, model("gpt-6.1-terra", Thinking.HIGH, "{\"temperature\": 0}")),
                                graded(rubric, model("gpt-6.1-terra", Thinking.OFF, "{\"temperature\": 1}")),
                                graded(rubric, model("gpt-6.1-terra", Thinking.OFF, "{}")),
                                graded(rubric, script("Y")),
                                graded(rubric, script("N")),
                                graded(
                                        rubric,
                                        new Agent.Replay(new ModelChoice("openai", "a", Thinking.OFF, Map.of()), "c")),
                                graded(
                                        rubric,
                                        new Agent.Replay(new ModelChoice("openai", "b", Thinking.OFF, Map.of()), "c")),
                                graded(
                                        rubric,
                                        new Agent.Replay(new ModelChoice("openai", "a", Thinking.OFF, Map.of()), "d")),
                                graded("{type: rubric, value: Short.}", GRADER),
                                graded("{type: closed-qa, value: Polite.}", GRADER),
                                CheckEvaluator.of(check(rubric), UsedCode.NONE, GRADER, "http://localhost:8080/v1"),
                                CheckEvaluator.of(check(rubric), UsedCode.NONE))
                        .map(Evaluator::hash))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldBeTheSameGraderWhenNumbersAreSpelledDifferently() {
        assertThat(graded("{type: rubric, value: P, threshold: 0.50}", model("a", Thinking.OFF, "{\"top\": 1.0}")))
                .isEqualTo(
                        graded("{type: rubric, value: P, threshold: 0.5}", model("a", Thinking.OFF, "{\"top\": 1}")));
    }

    @Test
    void shouldBeAnotherWhenOwnCodeOrItsSurroundingsDiffer() {
        String python = "{type: python, value: len(output) > 3}";
        String plain = "{type: contains, value: a}";
        String own = "{type: contains, value: a, transform: {python: {file: own.py}}}";
        Script lower = new Script(CodeLanguage.PYTHON, "output.lower()", null, null);
        assertThat(Stream.of(
                                CheckEvaluator.of(check(python), code(List.of(), "f1", List.of(), PYTHON)),
                                CheckEvaluator.of(check(python), code(List.of(), "f2", List.of(), PYTHON)),
                                CheckEvaluator.of(check(python), code(List.of(), "f1", List.of("HOME"), PYTHON)),
                                CheckEvaluator.of(
                                        check(python),
                                        code(List.of(), "f1", List.of(), new Interpreter("python", "p", "3.13.0"))),
                                CheckEvaluator.of(check(python), code(List.of(STRIP), "f1", List.of(), PYTHON)),
                                CheckEvaluator.of(check(plain), code(List.of(STRIP), "f1", List.of(), PYTHON)),
                                CheckEvaluator.of(check(plain), code(List.of(lower), "f1", List.of(), PYTHON)),
                                CheckEvaluator.of(check(plain), code(List.of(STRIP, lower), "f1", List.of(), PYTHON)),
                                CheckEvaluator.of(check(plain), code(List.of(lower, STRIP), "f1", List.of(), PYTHON)),
                                CheckEvaluator.of(check(plain), code(List.of(), "f1", List.of(), PYTHON)),
                                CheckEvaluator.of(check(own), code(List.of(), "f1", List.of(), PYTHON)),
                                CheckEvaluator.ofTransforms(code(List.of(STRIP), "f1", List.of(), PYTHON)))
                        .map(Evaluator::hash))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldBeTheSameWhenWhereTheInterpreterStandsOrTheOrderOfNamesDiffers() {
        Check check = check("{type: python, value: len(output) > 3}");

        assertThat(CheckEvaluator.of(
                        check,
                        code(List.of(), "f", List.of("A", "B"), PYTHON, new Interpreter("python", "/opt", "3.12.3"))))
                .isEqualTo(CheckEvaluator.of(check, code(List.of(), "f", List.of("B", "A"), PYTHON)));
    }

    @Test
    void shouldNotDependOnOwnCodeOfOthersWhenACheckUsesNone() {
        assertThat(CheckEvaluator.of(
                        check("{type: contains, value: a}"), code(List.of(), "f1", List.of("HOME"), PYTHON)))
                .isEqualTo(CheckEvaluator.of(check("{type: contains, value: a}"), UsedCode.NONE));
    }

    @Test
    void shouldStaySoWhenAnInterpreterSaysWhatCannotBeStored() {
        assertThat(CheckEvaluator.of(
                                check("{type: python, value: x}"),
                                code(List.of(), "f", List.of(), new Interpreter("python", "p", "3\u0000.12")))
                        .definition())
                .doesNotContain("\\u0000");
    }

    @Test
    void shouldRefuseAGraderOfACheckThatNoModelDecides() {
        assertThatThrownBy(() -> graded("{type: contains, value: a}", GRADER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("contains");
    }

    @Test
    void shouldHaveTheHashThatOthersComputeFromTheDefinition() {
        Evaluator evaluator = graded("{type: rubric, value: Polite.}", GRADER);

        assertThat(RequestKey.sha256(RequestKey.canonical(Json.tree(evaluator.definition()))))
                .isEqualTo(evaluator.hash());
    }
}
