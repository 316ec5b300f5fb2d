package dev.assay.domain.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderSettingsReader;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.usage.BatchPrice;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Result lines, prices, splitting and {@code auto} against the vectors. */
class DeliveryVectorsTest {

    private static final int MAX_LINE = 1_000_000;

    @TestFactory
    Stream<DynamicTest> batches() {
        Map<String, Vectors.Assertion> assertions = Map.of(
                "line", (input, expected) -> same(line(input), expected),
                "collect", (input, expected) -> same(collect(input), expected),
                "price", (input, expected) -> same(price(input), expected),
                "split", (input, expected) -> same(split(input), expected),
                "auto", (input, expected) -> same(auto(input), expected),
                "leaves", (input, expected) -> same(leaves(input), expected));
        return Vectors.tests("batches.json", assertions, assertions.keySet().toArray(String[]::new));
    }

    private static void same(Object said, JsonNode expected) {
        assertThat(Json.tree(Json.write(said))).isEqualTo(expected);
    }

    private static ProviderType type(JsonNode input) {
        return ProviderType.valueOf(input.get("wire").textValue().toUpperCase(Locale.ROOT));
    }

    private static ObjectNode line(JsonNode input) {
        DeliveredLine line = DeliveredLine.of(type(input), input.get("text").textValue());
        return JsonNodeFactory.instance
                .objectNode()
                .put("customId", line.customId())
                .put("end", line.end().name());
    }

    /** A file comes in pieces of seven bytes, so that lines are put together again. */
    private static ObjectNode collect(JsonNode input) {
        SequencedSet<String> ids = new LinkedHashSet<>();
        input.get("ids").forEach(id -> ids.add(id.textValue()));
        DeliveredResults<String> results = new DeliveredResults<>(id -> ids.contains(id) ? id : null);
        Map<String, LineEnd> found = new HashMap<>();
        boolean isComplete = true;
        for (JsonNode file : input.get("files")) {
            DeliveredFile lines = new DeliveredFile(type(input), MAX_LINE, line -> {
                if (results.take(line) == DeliveredResults.Part.OWN) {
                    found.put(Objects.requireNonNull(line.customId()), line.end());
                }
            });
            byte[] bytes = file.get("text").textValue().getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < bytes.length; i += 7) {
                lines.take(ByteBuffer.wrap(bytes, i, Math.min(7, bytes.length - i)));
            }
            lines.end(file.get("complete").booleanValue());
            isComplete &= file.get("complete").booleanValue();
        }
        ObjectNode said = JsonNodeFactory.instance.objectNode().put("foreign", results.isForeign());
        said.put("again", !results.isForeign() && !isComplete);
        ObjectNode ends = said.putObject("ends");
        for (String id : results.isForeign() ? List.<String>of() : ids) {
            LineEnd end = found.getOrDefault(id, LineEnd.MISSING);
            if (end != LineEnd.MISSING || isComplete) {
                ends.put(id, end.name());
            }
        }
        return said.put("duplicates", results.duplicates()).put("strangers", results.strangers());
    }

    /** The prices are read as an operator writes them. */
    private static ObjectNode price(JsonNode input) {
        ObjectNode file = JsonNodeFactory.instance.objectNode();
        ObjectNode provider = file.putObject("providers").putObject("p");
        provider.put("type", "openai").put("baseUrl", "http://h").put("keyless", true);
        provider.putObject("prices").set("m", input.get("prices"));
        Problems problems = new Problems();
        Price live = ProviderSettingsReader.read(file, Map.of(), problems)
                .get("p")
                .prices()
                .get("m");
        assertThat(problems.errors()).isEmpty();
        BatchPrice batch = Objects.requireNonNull(live).ofBatch();
        JsonNode usage = input.get("usage");
        long all = usage.get("input").longValue();
        Usage tokens = new Usage(
                all,
                usage.get("output").longValue(),
                0,
                usage.get("cacheRead").longValue(),
                usage.get("cacheWrite").longValue(),
                all);
        return JsonNodeFactory.instance
                .objectNode()
                .put(
                        "usd",
                        Objects.requireNonNull(batch.price().costUsd(tokens))
                                .stripTrailingZeros()
                                .toPlainString())
                .put("assumed", batch.assumed());
    }

    private static ObjectNode split(JsonNode input) {
        List<DeliverySplit.Line> lines = StreamSupport.stream(input.get("lines").spliterator(), false)
                .map(line -> new DeliverySplit.Line(
                        line.get(0).longValue(), line.get(1).longValue()))
                .toList();
        JsonNode limits = input.get("limits");
        DeliverySplit split = new DeliverySplit(
                new DeliverySplit.Bounds(
                        limits.get("maxLines").intValue(),
                        limits.get("maxBytes").longValue(),
                        limits.get("enqueuedTokens").longValue()),
                input.get("out").longValue());
        ObjectNode said = JsonNodeFactory.instance.objectNode();
        ArrayNode batches = said.putArray("batches");
        ArrayNode waits = said.putArray("waits");
        ArrayNode large = said.putArray("large");
        for (int i = 0; i < lines.size(); i++) {
            switch (split.take(lines.get(i))) {
                case SAME ->
                    ((ArrayNode) (batches.isEmpty() ? batches.addArray() : batches.get(batches.size() - 1))).add(i);
                case NEXT -> batches.addArray().add(i);
                case WAITS -> waits.add(i);
                case TOO_LARGE -> large.add(i);
            }
        }
        return said;
    }

    private static ObjectNode auto(JsonNode input) {
        List<Duration> last = StreamSupport.stream(input.get("seconds").spliterator(), false)
                .map(seconds -> Duration.ofSeconds(seconds.longValue()))
                .toList();
        AutoDelivery chosen = AutoDelivery.choose(
                instant(input, "now"),
                instant(input, "deadline"),
                input.get("cells").intValue(),
                input.get("minimum").intValue(),
                last);
        AutoDelivery.@Nullable Why why = chosen.why();
        return JsonNodeFactory.instance
                .objectNode()
                .put("delivery", chosen.delivery().word())
                .put("why", why == null ? null : why.word());
    }

    private static long leaves(JsonNode input) {
        return AutoDelivery.leaves(
                        instant(input, "deadline"),
                        input.get("out").intValue(),
                        Duration.ofMillis(input.get("liveMs").longValue()),
                        input.get("concurrent").intValue())
                .getEpochSecond();
    }

    private static Instant instant(JsonNode input, String field) {
        return Instant.ofEpochSecond(input.get(field).longValue());
    }
}
