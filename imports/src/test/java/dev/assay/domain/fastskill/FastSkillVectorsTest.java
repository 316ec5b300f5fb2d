package dev.assay.domain.fastskill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** FastSkill's files are read as the reference vectors say. */
class FastSkillVectorsTest {

    @TestFactory
    Stream<DynamicTest> files() {
        return Vectors.tests(
                "fastskill.json",
                Map.of(
                        "promptsCsv", FastSkillVectorsTest::assertPrompts,
                        "checksToml", FastSkillVectorsTest::assertChecks,
                        "evalToml", FastSkillVectorsTest::assertConfig),
                "promptsCsv",
                "checksToml",
                "evalToml",
                "runCheck",
                "trialStatus",
                "artifacts",
                "runDirectory");
    }

    private static void assertPrompts(JsonNode input, JsonNode expected) {
        Problems problems = new Problems();
        List<PromptRow> rows = PromptsCsv.read(input.get("csv").textValue(), "suite", problems);
        if (expected.has("cases")) {
            assertThat(problems.errors()).isEmpty();
            assertThat(Json.mapper().<JsonNode>valueToTree(rows)).isEqualTo(expected.get("cases"));
            return;
        }
        List<String> messages =
                problems.errors().stream().map(FieldError::message).toList();
        assertThat(messages).hasSameSizeAs(expected.get("errors"));
        for (int i = 0; i < messages.size(); i++) {
            JsonNode error = expected.get("errors").get(i);
            assertThat(messages.get(i)).startsWith(expected.get("code").textValue() + ": ");
            if (error.get("line").isNull()) {
                assertThat(messages.get(i)).doesNotContainPattern("line \\d");
            } else {
                assertThat(messages.get(i)).contains("line " + error.get("line") + ":");
            }
            String message = messages.get(i);
            assertThat(texts(error.get("names"))).allMatch(message::contains, message);
        }
    }

    private static void assertChecks(JsonNode input, JsonNode expected) {
        String toml = input.get("toml").textValue();
        if (expected.has("checks")) {
            ArrayNode checks = FastSkillCampaign.checks(ChecksToml.read(toml));
            checks.forEach(check -> ((ObjectNode) check).set("name", ((ObjectNode) check).remove("type")));
            assertThat(Json.tree(checks.toString())).isEqualTo(expected.get("checks"));
            return;
        }
        AssayException failure = catchThrowableOfType(AssayException.class, () -> ChecksToml.read(toml));
        assertThat(failure.errors())
                .extracting(FieldError::path)
                .containsExactly(texts(expected.get("names")).toArray(String[]::new));
        assertThat(failure.errors())
                .allMatch(
                        error -> error.message().startsWith(expected.get("code").textValue() + ": "));
    }

    private static void assertConfig(JsonNode input, JsonNode expected) {
        String toml = input.get("toml").textValue();
        if (expected.has("prompts")) {
            JsonNode config = Json.tree(Json.write(EvalConfig.read(toml)));
            assertThat(config.equals(FastSkillVectorsTest::compareNumbers, expected))
                    .as(config.toString())
                    .isTrue();
            return;
        }
        AssayException failure = catchThrowableOfType(AssayException.class, () -> EvalConfig.read(toml));
        assertThat(failure.getMessage()).contains(expected.get("code").textValue() + ": ");
        assertThat(texts(expected.get("names"))).allMatch(failure.getMessage()::contains, failure.getMessage());
    }

    private static int compareNumbers(JsonNode a, JsonNode b) {
        return a.isNumber() && b.isNumber() ? a.decimalValue().compareTo(b.decimalValue()) : a.equals(b) ? 0 : 1;
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }
}
