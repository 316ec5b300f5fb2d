package dev.assay.domain.hypothesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.hypothesis.Reading.Evaluated;
import dev.assay.domain.hypothesis.Reading.Invalid;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class HypothesisVectorsTest {

    private static final Rubric RUBRIC = Rubric.DEFAULT;

    @TestFactory
    Stream<DynamicTest> plans() {
        return Vectors.tests("hypothesis-plans.json", Map.of("batchPlan", HypothesisVectorsTest::plan), "batchPlan");
    }

    @TestFactory
    Stream<DynamicTest> scores() {
        return Vectors.tests(
                "hypothesis-scores.json", Map.of("composite", HypothesisVectorsTest::composite), "composite");
    }

    @TestFactory
    Stream<DynamicTest> hypotheses() {
        Map<String, Vectors.Assertion> assertions = Map.of(
                "batchPlan", HypothesisVectorsTest::plan,
                "batchPlanError", HypothesisVectorsTest::planError,
                "composite", HypothesisVectorsTest::composite,
                "ranking", HypothesisVectorsTest::ranking,
                "readReply", HypothesisVectorsTest::readReply,
                "merge", HypothesisVectorsTest::merge);
        return Vectors.tests("hypotheses.json", assertions, assertions.keySet().toArray(String[]::new));
    }

    private static BatchPlan planOf(JsonNode input) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.set("parallelConfig", input.get("override"));
        Problems problems = new Problems();
        BatchPlan plan = ParallelConfigReader.read(
                FieldReader.of(document, "", Fields.of("test", "parallelConfig"), problems),
                input.get("count").intValue());
        problems.throwIfAny("test");
        return plan;
    }

    private static void plan(JsonNode input, JsonNode expected) {
        BatchPlan plan = planOf(input);
        ObjectNode actual = Json.mapper().valueToTree(plan);
        actual.set(
                "batches",
                Json.mapper().valueToTree(plan.batches(input.get("count").intValue())));
        assertThat(actual).isEqualTo(expected);
    }

    private static void planError(JsonNode input, JsonNode expected) {
        assertThatThrownBy(() -> planOf(input))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors().stream()
                                        .map(FieldError::path)
                                        .map(path -> path.replace("parallelConfig.", "")))
                                .containsExactlyElementsOf(texts(expected.get("names"))));
    }

    private static void composite(JsonNode input, JsonNode expected) {
        Map<String, BigDecimal> scores = scores(input);
        assertThat(RUBRIC.composite(scores))
                .isEqualByComparingTo(expected.get("composite").decimalValue());
        assertThat(RUBRIC.verdict(scores).word())
                .isEqualTo(expected.get("verdict").textValue());
    }

    private static void ranking(JsonNode input, JsonNode expected) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        input.get("hypotheses")
                .forEach(one -> readings.put(
                        one.get("id").textValue(), new Evaluated(scores(one.get("scores")), null, List.of())));
        HypothesisResult result = HypothesisResult.of(
                RUBRIC,
                List.of(List.copyOf(readings.keySet())),
                List.of(new BatchEnd(0, new ChallengeReply(readings, List.of()), null)));
        List<String> expectedOrder = texts(expected.get("order"));
        assertThat(ids(result.scored()))
                .containsExactlyElementsOf(expectedOrder.stream()
                        .filter(ids(result.scored())::contains)
                        .toList());
        assertThat(result.scored().size() + result.rejected().size()).isEqualTo(expectedOrder.size());
    }

    private static void readReply(JsonNode input, JsonNode expected) {
        ChallengeReply reply = ChallengeReply.read(
                RUBRIC, texts(input.get("ids")), List.of(input.get("reply").textValue()));
        ObjectNode evaluated = JsonNodeFactory.instance.objectNode();
        ObjectNode invalid = JsonNodeFactory.instance.objectNode();
        HypothesisResult result =
                HypothesisResult.of(RUBRIC, List.of(texts(input.get("ids"))), List.of(new BatchEnd(0, reply, null)));
        Stream.concat(result.scored().stream(), result.rejected().stream()).forEach(one -> {
            ObjectNode shown = evaluated.putObject(one.id());
            shown.set("scores", Json.mapper().valueToTree(one.scores()));
            shown.put("composite", one.composite());
            shown.put("verdict", one.verdict().word());
            shown.set("modelVerdict", Json.mapper().valueToTree(one.model().verdict()));
            shown.put("disagreement", one.model().disagrees());
        });
        reply.readings().forEach((id, reading) -> {
            if (reading instanceof Invalid wrong) {
                invalid.put(id, wrong.fault().name());
            }
        });
        assertThat(normal(evaluated)).isEqualTo(normal(expected.get("evaluated")));
        assertThat(invalid).isEqualTo(expected.get("invalid"));
        assertThat(reply.unknownIds()).isEqualTo(texts(expected.get("unknownIds")));
    }

    private static void merge(JsonNode input, JsonNode expected) {
        List<List<String>> batches = new ArrayList<>();
        input.get("batches").forEach(batch -> batches.add(texts(batch)));
        List<BatchEnd> ends = new ArrayList<>();
        input.get("results").forEach(one -> ends.add(end(one)));

        HypothesisResult result = HypothesisResult.of(RUBRIC, batches, ends);

        assertThat(ids(result.scored())).isEqualTo(texts(expected.get("scoredHypotheses")));
        assertThat(ids(result.rejected())).isEqualTo(texts(expected.get("rejected")));
        assertThat(Json.mapper().<JsonNode>valueToTree(result.unscored())).isEqualTo(expected.get("unscored"));
        assertThat(Json.mapper().<JsonNode>valueToTree(result.errors())).isEqualTo(expected.get("errors"));
        assertThat(normal(Json.mapper().valueToTree(result.summary()))).isEqualTo(normal(expected.get("summary")));
        assertThat(result.errors()).hasSize(expected.get("failedBatches").intValue());
        assertThat(result.partialFailureRate(batches.size()))
                .isEqualTo(expected.get("partialFailureRate").doubleValue());
        assertThat(result.isFailure())
                .isEqualTo(expected.get("state").textValue().equals("FAILED"));
        int exit = result.isFailure() ? 1 : result.unscored().isEmpty() ? 0 : 101;
        assertThat(exit).isEqualTo(expected.get("exitCode").intValue());
        assertThat(result.scored())
                .extracting(ScoredHypothesis::rank)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    private static BatchEnd end(JsonNode written) {
        int index = written.get("batchIndex").intValue();
        if (written.has("error")) {
            return BatchEnd.failed(index, written.get("error").textValue());
        }
        Map<String, Reading> readings = new LinkedHashMap<>();
        written.get("evaluated")
                .properties()
                .forEach(one -> readings.put(one.getKey(), new Evaluated(scores(one.getValue()), null, List.of())));
        written.get("invalid")
                .properties()
                .forEach(one -> readings.put(
                        one.getKey(),
                        new Invalid(Reading.Fault.valueOf(one.getValue().asText()), "It was.")));
        return new BatchEnd(index, new ChallengeReply(readings, List.of()), null);
    }

    private static List<String> ids(List<ScoredHypothesis> hypotheses) {
        return hypotheses.stream().map(ScoredHypothesis::id).toList();
    }

    private static Map<String, BigDecimal> scores(JsonNode written) {
        Map<String, BigDecimal> scores = new LinkedHashMap<>();
        written.properties()
                .forEach(score -> scores.put(score.getKey(), score.getValue().decimalValue()));
        return scores;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    /** Numbers as decimals without zeros at their end. */
    private static JsonNode normal(JsonNode tree) {
        if (tree.isNumber()) {
            return JsonNodeFactory.instance.numberNode(tree.decimalValue().stripTrailingZeros());
        }
        if (tree.isObject()) {
            ObjectNode normal = JsonNodeFactory.instance.objectNode();
            tree.properties().forEach(field -> normal.set(field.getKey(), normal(field.getValue())));
            return normal;
        }
        return tree;
    }
}
