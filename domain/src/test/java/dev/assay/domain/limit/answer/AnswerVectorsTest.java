package dev.assay.domain.limit.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.LimitKind;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Headers, waits, learned limits and refusals against the vectors. */
class AnswerVectorsTest {

    private static final Map<Refusal.Kind, String> WORDS = Map.of(
            Refusal.Kind.AUTH, "auth",
            Refusal.Kind.QUOTA, "quota",
            Refusal.Kind.TOO_LARGE, "tooLarge",
            Refusal.Kind.RATE, "rate",
            Refusal.Kind.CONCURRENCY, "concurrency",
            Refusal.Kind.OTHER, "other");

    @TestFactory
    Stream<DynamicTest> answers() {
        Map<String, Vectors.Assertion> assertions = Map.of(
                "retryAfter", AnswerVectorsTest::retryAfter,
                "headers", AnswerVectorsTest::headers,
                "learn", AnswerVectorsTest::learn,
                "refusal", AnswerVectorsTest::refusal);
        return Vectors.tests(
                "governor-answers.json", assertions, assertions.keySet().toArray(String[]::new));
    }

    private static void retryAfter(JsonNode input, JsonNode expected) {
        assertThat(ms(Refusal.askedWait(headersOf(input.get("headers")), body(input), now(input))))
                .isEqualTo(expected);
    }

    private static void headers(JsonNode input, JsonNode expected) {
        assertThat(json(HeaderLimits.of(headersOf(input.get("headers"))))).isEqualTo(Json.write(expected));
    }

    private static void learn(JsonNode input, JsonNode expected) {
        LearnedLimits learned = LearnedLimits.NONE;
        for (int i = 0; i < expected.size(); i++) {
            learned =
                    learned.after(HeaderLimits.of(headersOf(input.get("answers").get(i))));
            Map<String, Long> force = new LinkedHashMap<>();
            for (LimitKind kind : LimitKind.values()) {
                if (learned.inForce().containsKey(kind)) {
                    force.put(kind.word(), learned.inForce().get(kind));
                }
            }
            assertThat(Json.write(force)).as("answer %d", i).isEqualTo(Json.write(expected.get(i)));
        }
    }

    private static void refusal(JsonNode input, JsonNode expected) {
        Refusal refusal =
                Refusal.of(input.get("status").intValue(), headersOf(input.get("headers")), body(input), now(input));

        assertThat(WORDS.get(refusal.kind())).isEqualTo(expected.get("kind").textValue());
        assertThat(json(refusal.limits())).isEqualTo(Json.write(expected.get("limits")));
        assertThat(ms(refusal.retryAfter())).isEqualTo(expected.get("retryAfterMs"));
    }

    private static AnswerHeaders headersOf(JsonNode object) {
        Map<String, String> headers = new LinkedHashMap<>();
        object.properties()
                .forEach(field -> headers.put(field.getKey(), field.getValue().textValue()));
        return new AnswerHeaders(headers);
    }

    private static JsonNode body(JsonNode input) {
        return input.has("body") ? input.get("body") : NullNode.instance;
    }

    private static Instant now(JsonNode input) {
        return Instant.ofEpochMilli(input.get("now").longValue());
    }

    private static JsonNode ms(@Nullable Duration wait) {
        return wait == null ? NullNode.instance : JsonNodeFactory.instance.numberNode((int) wait.toMillis());
    }

    private static String json(List<HeaderLimit> limits) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (HeaderLimit limit : limits) {
            ObjectNode item = list.addObject();
            item.put("word", limit.kind().word()).put("limit", limit.limit());
            item.put("remaining", limit.remaining()).put("named", limit.named());
        }
        return Json.write(list);
    }
}
