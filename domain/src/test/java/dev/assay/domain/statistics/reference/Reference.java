package dev.assay.domain.statistics.reference;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A function of the reference implementation: from a vector's input to what is compared with its expectation. */
public interface Reference {

    /** What our function gives, in the names of the reference. */
    @Nullable
    Object of(JsonNode input);

    static double level(JsonNode input) {
        return input.path("level").asDouble(Quantiles.LEVEL);
    }

    static double[] doubles(JsonNode values) {
        return StreamSupport.stream(values.spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    static List<@Nullable Double> nullable(JsonNode values) {
        List<@Nullable Double> list = new ArrayList<>();
        values.forEach(value -> list.add(value.isNull() ? null : value.asDouble()));
        return list;
    }

    /** Cases as [passed, unknown, planned]. */
    static List<CaseCounts> cases(JsonNode cases) {
        List<CaseCounts> list = new ArrayList<>();
        cases.forEach(one -> list.add(new CaseCounts(
                one.get(0).asInt(), one.get(1).asInt(), one.get(2).asInt())));
        return list;
    }

    /** Cases as [passed, known]; one of which nothing is known has one trial that is unknown. */
    static List<CaseCounts> known(JsonNode cases) {
        List<CaseCounts> list = new ArrayList<>();
        cases.forEach(one -> list.add(
                one.get(1).asInt() == 0
                        ? new CaseCounts(0, 1, 1)
                        : new CaseCounts(one.get(0).asInt(), 0, one.get(1).asInt())));
        return list;
    }

    /** An object of names and values, which may be null. */
    static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    static @Nullable Double low(@Nullable Interval interval) {
        return interval == null ? null : interval.low();
    }

    static @Nullable Double high(@Nullable Interval interval) {
        return interval == null ? null : interval.high();
    }

    static Map<String, @Nullable Object> interval(@Nullable Interval interval) {
        return object("low", low(interval), "high", high(interval));
    }
}
