package dev.assay.domain.limit.size;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.limit.Units;
import dev.assay.domain.usage.Usage;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Estimates, and what usage puts right, against the vectors. */
class SizeVectorsTest {

    @TestFactory
    Stream<DynamicTest> sizes() {
        return Vectors.tests(
                "governor-limits.json",
                Map.of("estimate", SizeVectorsTest::estimate, "reconcile", SizeVectorsTest::reconcile),
                "limit",
                "grant",
                "estimate",
                "reconcile",
                "aimd");
    }

    private static void estimate(JsonNode input, JsonNode expected) {
        boolean embeds = input.path("embeds").asBoolean();
        RequestSize size = new RequestSize(
                number(input, "textBytes"),
                input.get("messages").intValue(),
                input.get("images").intValue(),
                embeds ? 0 : number(input, "maxOutputTokens"));
        List<AnsweredSize> answers = StreamSupport.stream(input.get("answers").spliterator(), false)
                .map(answer ->
                        new AnsweredSize(number(answer, "base"), number(answer, "input"), number(answer, "output")))
                .toList();
        CountingRules rules = new CountingRules(counting(input), true);

        assertThat(size.base()).isEqualTo(number(expected, "base"));
        assertThat(size.estimate(rules, new AnsweredSizes(answers)))
                .isEqualTo(new Units(
                        number(expected, "requests"),
                        number(expected, "input"),
                        number(expected, "output"),
                        number(expected, "tokens")));
    }

    private static void reconcile(JsonNode input, JsonNode expected) {
        JsonNode charged = input.get("charged");
        JsonNode said = input.get("usage");
        Usage usage = said.isNull()
                ? Usage.UNKNOWN
                : new Usage(
                        number(said, "input"),
                        number(said, "output"),
                        0,
                        number(said, "cacheRead"),
                        number(said, "cacheWrite"),
                        0);
        CountingRules rules =
                new CountingRules(counting(input), input.get("cacheReadsCount").booleanValue());

        assertThat(rules.adjustment(
                        new Units(1, number(charged, "input"), number(charged, "output"), number(charged, "tokens")),
                        usage))
                .isEqualTo(new Adjustment(
                        number(expected, "input"), number(expected, "output"), number(expected, "tokens")));
    }

    private static OutputCounting counting(JsonNode input) {
        return OutputCounting.byWord().get(input.get("countOutput").textValue());
    }

    private static long number(JsonNode object, String field) {
        return object.get(field).longValue();
    }
}
