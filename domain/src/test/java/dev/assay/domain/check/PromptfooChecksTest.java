package dev.assay.domain.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The verdicts and scores that promptfoo gave, by the checks of the same meaning. How its files are read is tested elsewhere. */
class PromptfooChecksTest {

    private static final Map<String, String> WORDS = Map.of(
            "is-json", "json",
            "contains-json", "json",
            "is-xml", "xml",
            "contains-xml", "xml",
            "is-html", "html",
            "contains-html", "html",
            "is-refusal", "refusal",
            "assert-set", "group");

    @TestFactory
    Stream<DynamicTest> asserts() {
        return Vectors.tests(
                "promptfoo.json",
                Map.of("promptfooAssert", PromptfooChecksTest::assertChecks),
                "promptfooRun",
                "promptfooAssert",
                "promptfooUnmapped");
    }

    private static void assertChecks(JsonNode input, JsonNode expected) {
        List<Check> checks = read(checks(input.get("assert")));
        CheckInput output = CheckInput.of(echoed(input.get("output").textValue()));
        List<CheckResult> results =
                checks.stream().map(check -> check.evaluate(output)).toList();
        BigDecimal threshold = input.has("threshold") ? input.get("threshold").decimalValue() : null;
        CheckScore score = CheckScore.of(results, threshold);

        assertThat(score.status() == Status.PASSED)
                .as("passed, of %s", results)
                .isEqualTo(expected.get("passed").booleanValue());
        assertThat(score.score()).isCloseTo(expected.get("score").doubleValue(), within(1e-9));
        Map<String, Double> metrics = Metrics.of(results);
        expected.path("metrics")
                .properties()
                .forEach(metric -> assertThat(metrics.get(metric.getKey()))
                        .as(metric.getKey())
                        .isCloseTo(metric.getValue().doubleValue(), within(1e-9)));
        assertEach(flat(results), expected.get("checks"));
    }

    /** What promptfoo's echo answers: a prompt that is JSON is written anew before it is sent. */
    private static String echoed(String prompt) {
        try {
            JsonNode json = Json.mapper()
                    .reader()
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(prompt);
            return json.isContainerNode() ? json.toPrettyString() : prompt;
        } catch (JsonProcessingException noJson) {
            return prompt;
        }
    }

    private static void assertEach(List<CheckResult> results, JsonNode expected) {
        assertThat(results).hasSameSizeAs(expected);
        for (int i = 0; i < results.size(); i++) {
            CheckResult result = results.get(i);
            assertThat(result.score()).isCloseTo(expected.get(i).get("score").doubleValue(), within(1e-9));
            if (result.share() > 0) {
                assertThat(result.status() == Status.PASSED)
                        .as(result.toString())
                        .isEqualTo(expected.get(i).get("passed").booleanValue());
            }
        }
    }

    private static List<CheckResult> flat(List<CheckResult> results) {
        List<CheckResult> flat = new ArrayList<>();
        results.forEach(result -> {
            flat.add(result);
            flat.addAll(flat(result.members()));
        });
        return flat;
    }

    private static List<Check> read(ArrayNode checks) {
        Problems problems = new Problems();
        ObjectNode suiteCase = Json.mapper().createObjectNode();
        suiteCase.set("checks", checks);
        FieldReader fields = FieldReader.of(suiteCase, "", Fields.of("case", "checks", "threshold"), problems);
        List<Check> read = Checks.read(fields, new Checks(List.of())).all();
        assertThat(problems.errors()).isEmpty();
        return read;
    }

    private static ArrayNode checks(JsonNode asserts) {
        ArrayNode checks = Json.mapper().createArrayNode();
        asserts.forEach(one -> checks.add(check((ObjectNode) one.deepCopy())));
        return checks;
    }

    private static ObjectNode check(ObjectNode check) {
        String type = check.get("type").textValue();
        if (type.startsWith("not-")) {
            type = type.substring(4);
            check.put("not", true);
        }
        check.put("type", WORDS.getOrDefault(type, type));
        if (check.path("weight").asDouble(1) == 0) {
            check.put("required", false);
        }
        JsonNode value = check.get("value");
        switch (type) {
            case "assert-set" -> check.replace("checks", checks(check.remove("assert")));
            case "equals" -> {
                check.put("trim", false);
                if (!value.isContainerNode()) {
                    check.put("value", value.asText());
                }
            }
            case "is-json", "contains-json" -> {
                if (check.remove("value") != null) {
                    check.set("schema", value);
                }
            }
            case "is-xml", "contains-xml" -> {
                if (check.remove("value") != null) {
                    check.setAll((ObjectNode) value);
                }
            }
            default -> {}
        }
        if (type.startsWith("contains-") && WORDS.containsKey(type)) {
            check.put("contains", true);
        }
        return check;
    }
}
