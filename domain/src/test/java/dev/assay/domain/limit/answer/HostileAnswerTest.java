package dev.assay.domain.limit.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers are strangers' texts: nonsense changes nothing, and no wait is longer than an hour. */
class HostileAnswerTest {

    private static final Instant NOW = Instant.parse("2026-11-26T02:00:00Z");

    private static final List<String> NAMES = List.of(
            "retry-after",
            "retry-after-ms",
            "date",
            "x-ratelimit-reset",
            "x-ratelimit-limit-requests",
            "x-ratelimit-remaining-requests",
            "x-ratelimit-reset-requests",
            "x-ratelimit-limit-tokens-day",
            "anthropic-ratelimit-tokens-limit",
            "anthropic-ratelimit-tokens-remaining");

    private static final List<String> VALUES = List.of(
            "",
            " ",
            "\0",
            "-1",
            "NaN",
            "Infinity",
            "1e309",
            "0x10",
            "9".repeat(400),
            "0." + "0".repeat(400) + "1",
            "1s".repeat(50_000),
            "1".repeat(100_000) + "s",
            "0",
            "1",
            "999999999999",
            "999999999d",
            "Thu, 01 Jan 1970 00:00:00 GMT",
            "Fri, 31 Dec 9999 23:59:59 GMT",
            "Fri, 99 Dec 0000 99:99:99 GMT",
            "\uD800");

    private static final List<String> BODIES = List.of(
            "null",
            "[]",
            "[[]]",
            "5",
            "\"slow down\"",
            "{\"error\": []}",
            "{\"error\": {\"message\": {\"text\": [\"retry in 5s\"]}, \"details\": {\"violations\": 5}}}",
            "{\"error\": {\"details\": [5, null, {\"violations\": [null, {\"quotaId\": [], \"quotaValue\": {}}]}]}}",
            "{\"error\": {\"details\": [{\"retryDelay\": {}}, {\"retryDelay\": \"" + "1s".repeat(50_000) + "\"}]}}",
            "{\"error\": {\"metadata\": {\"headers\": {\"x-ratelimit-reset\": 5, \"retry-after\": null}}}}",
            "{\"error\": {\"message\": \"try again in " + "1s".repeat(50_000) + "\"}}",
            "{\"error\": {\"message\": \"on tokens per min (TPM): Limit " + "9".repeat(500) + ", Used 1\"}}");

    @Test
    void shouldNeverFailNorWaitLongerThanAnHourWhenAnAnswerIsNonsense() {
        Random random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            Map<String, String> headers = new LinkedHashMap<>();
            NAMES.forEach(name -> headers.put(name, VALUES.get(random.nextInt(VALUES.size()))));
            String body = BODIES.get(random.nextInt(BODIES.size()));
            Refusal refusal = Refusal.of(429, new AnswerHeaders(headers), Json.tree(body), NOW);

            assertThat(refusal.limits())
                    .as("limits of %s, %s", headers, body)
                    .allMatch(limit -> limit.limit() > 0 && limit.limit() <= 1_000_000_000_000L);
            if (refusal.retryAfter() != null) {
                assertThat(refusal.retryAfter()).isBetween(Duration.ZERO, Duration.ofHours(1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Fri, 31 Dec 9999 23:59:59 GMT", "999999999999999999", "86400.5"})
    void shouldWaitAnHourWhenAnAnswerAsksForYears(String value) {
        assertThat(waitFor("retry-after", value)).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @CsvSource({"retry-after, soon", "retry-after, -5", "retry-after-ms, 1e3", "x-ratelimit-reset, 30"})
    void shouldNotWaitWhenAnAnswerSaysNoTime(String name, String value) {
        assertThat(waitFor(name, value)).isNull();
    }

    @Test
    void shouldWaitForNothingWhenADateIsOf1970() {
        assertThat(waitFor("retry-after", "Thu, 01 Jan 1970 00:00:00 GMT")).isZero();
    }

    private static @Nullable Duration waitFor(String name, String value) {
        return Refusal.askedWait(new AnswerHeaders(Map.of(name, value)), NullNode.instance, NOW);
    }

    @Test
    void shouldReadNothingWhenThereIsNoBody() {
        for (JsonNode body : List.of(MissingNode.getInstance(), NullNode.instance, TextNode.valueOf(""))) {
            assertThat(Refusal.of(429, AnswerHeaders.NONE, body, NOW))
                    .isEqualTo(new Refusal(Refusal.Kind.CONCURRENCY, List.of(), null));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "6, 32", "7, 60", "1000000, 60"})
    void shouldBlockLongerWithEachRefusalInARowWhenNoneSaysATime(int inRow, int seconds) {
        assertThat(PoolBlock.after(null, inRow)).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(PoolBlock.after(Duration.ofMillis(7), inRow)).isEqualTo(Duration.ofMillis(7));
    }
}
