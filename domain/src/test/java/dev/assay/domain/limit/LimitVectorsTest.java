package dev.assay.domain.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Limits, grants, concurrency, groups, keys and forecasts against the vectors. */
class LimitVectorsTest {

    @TestFactory
    Stream<DynamicTest> limits() {
        return Vectors.tests(
                "governor-limits.json",
                Map.of(
                        "limit", LimitVectorsTest::limit,
                        "grant", LimitVectorsTest::grant,
                        "aimd", LimitVectorsTest::aimd),
                "limit",
                "grant",
                "estimate",
                "reconcile",
                "aimd");
    }

    @TestFactory
    Stream<DynamicTest> pools() {
        Map<String, Vectors.Assertion> assertions = Map.of(
                "effective", LimitVectorsTest::effective,
                "group", LimitVectorsTest::group,
                "keys", LimitVectorsTest::keys,
                "forecast", LimitVectorsTest::forecast);
        return Vectors.tests(
                "governor-pools.json", assertions, assertions.keySet().toArray(String[]::new));
    }

    private static void limit(JsonNode input, JsonNode expected) {
        Spending spending = Spending.none(
                kind(input.get("word").textValue()),
                input.get("limit").longValue(),
                input.path("burstSeconds").asInt(1),
                Instant.ofEpochMilli(input.get("at").longValue()));
        for (int i = 0; i < expected.size(); i++) {
            JsonNode op = input.get("ops").get(i);
            ObjectNode said = JsonNodeFactory.instance.objectNode();
            spending = step(spending.at(Instant.ofEpochMilli(op.get("at").longValue())), op, said);
            LimitRoom room = spending.room();
            said.put("free", room.free()).put("level", room.level());
            assertThat(Json.write(said)).as("step %d: %s", i, op).isEqualTo(Json.write(expected.get(i)));
        }
    }

    private static Spending step(Spending spending, JsonNode op, ObjectNode said) {
        long slot = op.path("slot").longValue();
        if (op.has("spend")) {
            return spend(spending, op.get("spend").longValue(), said);
        }
        if (op.has("try")) {
            LimitRoom room = spending.room();
            long units = op.get("try").longValue();
            boolean fits = room.fits(room.charge(units(units)));
            said.put("fits", fits);
            return fits ? spend(spending, units, said) : spending;
        }
        if (op.has("giveBack")) {
            return spending.returned(slot, op.get("giveBack").longValue());
        }
        if (op.has("owe")) {
            return spending.owed(slot, op.get("owe").longValue());
        }
        if (op.has("remaining")) {
            long freeBefore = op.get("freeBefore").longValue();
            long remaining = op.get("remaining").longValue();
            said.put("foreign", spending.foreign(freeBefore, remaining));
            return spending.shared(freeBefore, remaining);
        }
        return spending.withLimit(op.get("set").longValue(), spending.burstSeconds());
    }

    private static Spending spend(Spending spending, long units, ObjectNode said) {
        long charge = spending.room().charge(units(units));
        said.put("slot", spending.slot()).put("units", charge);
        return spending.spent(charge);
    }

    private static Units units(long any) {
        return new Units(any, any, any, any);
    }

    private static LimitKind kind(String word) {
        return LimitKind.byWord().get(word);
    }

    private static void grant(JsonNode input, JsonNode expected) {
        List<LimitRoom> limits = input.get("limits").properties().stream()
                .map(limit -> new LimitRoom(
                        kind(limit.getKey()),
                        limit.getValue().get("limit").longValue(),
                        limit.getValue().get("free").longValue(),
                        limit.getValue().get("level").longValue(),
                        limit.getValue().get("burst").longValue()))
                .toList();
        JsonNode asker = input.get("asker");
        UnitAsk ask = new UnitAsk(
                turn(asker),
                items(asker.get("requests")).map(LimitVectorsTest::request).toList());
        List<UnitWish> others = items(input.get("others"))
                .map(other -> new UnitWish(turn(other), request(other.get("head")), ms(other.get("ageMs"))))
                .toList();
        UnitGrant grant = input.path("blocked").asBoolean() ? UnitGrant.NOTHING : UnitGrant.of(limits, ask, others);
        Map<String, Long> charged = new LinkedHashMap<>();
        grant.charged().forEach((kind, units) -> charged.put(kind.word(), units));
        assertThat(grant.granted()).isEqualTo(expected.get("granted").intValue());
        assertThat(charged).isEqualTo(longs(expected.get("units")));
    }

    private static WorkerTurn turn(JsonNode worker) {
        return new WorkerTurn(
                worker.get("id").textValue(), worker.get("urgent").booleanValue(), ms(worker.get("waitedMs")));
    }

    private static Duration ms(JsonNode node) {
        return Duration.ofMillis(node.longValue());
    }

    private static Units request(JsonNode units) {
        long[] sums = new long[4];
        units.properties()
                .forEach(unit -> sums[kind(unit.getKey()).unit().ordinal()] =
                        unit.getValue().longValue());
        return new Units(sums[0], sums[1], sums[2], sums[3]);
    }

    private static void aimd(JsonNode input, JsonNode expected) {
        AdaptiveConcurrency number = AdaptiveConcurrency.begun(
                input.get("min").intValue(),
                input.get("start").intValue(),
                input.get("max").intValue());
        for (int i = 0; i < expected.size(); i++) {
            JsonNode event = input.get("events").get(i);
            for (int n = 0; n < event.path("times").asInt(1); n++) {
                number = after(number, event);
            }
            JsonNode then = expected.get(i);
            assertThat(List.of(number.now(), number.phase().name(), number.cuts(), number.clean()))
                    .as("event %d: %s", i, event)
                    .isEqualTo(List.of(
                            then.get("limit").intValue(),
                            then.get("phase").textValue(),
                            then.get("cutNo").intValue(),
                            then.get("clean").intValue()));
        }
    }

    private static AdaptiveConcurrency after(AdaptiveConcurrency number, JsonNode event) {
        int cutsThen = event.path("cutNo").asInt(number.cuts());
        return switch (event.get("event").textValue()) {
            case "answered" ->
                event.path("repeated").asBoolean()
                        ? number
                        : number.answered(cutsThen, event.get("inFlight").intValue());
            case "refused" -> number.refused(cutsThen, event.get("inFlight").intValue());
            default ->
                number.within(event.get("min").intValue(), event.get("max").intValue());
        };
    }

    private static void effective(JsonNode input, JsonNode expected) {
        EffectiveLimit limit = EffectiveLimit.of(
                units(input.get("configured")),
                units(input.get("manual")),
                units(input.get("header")),
                input.get("learn").booleanValue());
        assertThat(limit == null ? null : limit.limit()).isEqualTo(units(expected.get("limit")));
        assertThat(limit == null ? null : limit.why().name().toLowerCase(Locale.ROOT))
                .isEqualTo(expected.get("why").textValue());
    }

    private static @Nullable Long units(JsonNode node) {
        return node.isNull() ? null : (Long) node.longValue();
    }

    private static void group(JsonNode input, JsonNode expected) {
        List<ModelPattern> entries = items(input.get("entries"))
                .map(entry -> new ModelPattern(entry.textValue()))
                .toList();
        assertThat(ModelPattern.group(input.get("model").textValue(), entries)).isEqualTo(expected.textValue());
    }

    private static void keys(JsonNode input, JsonNode expected) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        items(input.get("keys"))
                .forEach(key -> weights.put(
                        key.get("name").textValue(), key.get("weight").intValue()));
        KeyRotation rotation = new KeyRotation(weights);
        List<@Nullable String> chosen = new ArrayList<>();
        items(input.get("ready")).forEach(ready -> chosen.add(rotation.next(texts(ready))));
        assertThat(chosen)
                .isEqualTo(items(expected).map(JsonNode::textValue).collect(Collectors.toCollection(ArrayList::new)));
    }

    private static Set<String> texts(JsonNode list) {
        return items(list).map(JsonNode::textValue).collect(Collectors.toSet());
    }

    private static void forecast(JsonNode input, JsonNode expected) {
        List<PoolWork> pools =
                items(input.get("pools")).map(LimitVectorsTest::work).toList();
        CallForecast forecast =
                CallForecast.of(pools, input.get("maxConcurrent").intValue());
        assertThat(forecast.seconds()).isEqualTo(expected.get("seconds").longValue());
        assertThat(forecast.bound()).isEqualTo(expected.get("bound").textValue());
    }

    private static PoolWork work(JsonNode pool) {
        Map<LimitKind, Long> limits = new LinkedHashMap<>();
        longs(pool.get("limits")).forEach((word, limit) -> limits.put(kind(word), limit));
        return new PoolWork(
                pool.get("pool").textValue(),
                pool.get("keys").intValue(),
                pool.get("calls").longValue(),
                pool.get("input").longValue(),
                pool.get("output").longValue(),
                pool.get("seconds").isNull() ? null : pool.get("seconds").doubleValue(),
                limits);
    }

    private static Map<String, Long> longs(JsonNode object) {
        Map<String, Long> longs = new LinkedHashMap<>();
        object.properties()
                .forEach(field -> longs.put(field.getKey(), field.getValue().longValue()));
        return longs;
    }

    private static Stream<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}
