package dev.assay.domain.statistics.reference;

import static dev.assay.domain.statistics.reference.Reference.doubles;
import static dev.assay.domain.statistics.reference.Reference.high;
import static dev.assay.domain.statistics.reference.Reference.level;
import static dev.assay.domain.statistics.reference.Reference.low;
import static dev.assay.domain.statistics.reference.Reference.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.gate.NonInferiority;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.comparison.McNemarTest;
import dev.assay.domain.statistics.comparison.MultipleTests;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.comparison.SignFlipTest;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Two campaigns or branches on the same cases. */
public final class ComparisonFunctions {

    public static final Map<String, Reference> ALL = Map.of(
            "paired_difference", ComparisonFunctions::pairedDifference,
            "paired_counts",
                    input -> difference(PairedDifference.ofCounts(
                            Reference.cases(input.get("a")), Reference.cases(input.get("b")), level(input))),
            "mcnemar",
                    input -> McNemarTest.of(
                            input.get("onlyFirst").asInt(),
                            input.get("onlySecond").asInt()),
            "sign_flip", ComparisonFunctions::signFlip,
            "non_inferior", ComparisonFunctions::nonInferior,
            "holm", ComparisonFunctions::adjusted,
            "benjamini_hochberg", ComparisonFunctions::adjusted);

    private ComparisonFunctions() {}

    private static Object pairedDifference(JsonNode input) {
        PairedDifference difference =
                PairedDifference.of(doubles(input.get("a")), doubles(input.get("b")), level(input));
        Map<String, @Nullable Object> object = difference(difference);
        Map<String, @Nullable Object> verdicts = object();
        input.path("margins")
                .forEach(margin -> verdicts.put(
                        Double.toString(margin.asDouble()),
                        NonInferiority.verdict(difference, margin.asDouble()).name()));
        object.put("verdicts", verdicts);
        return object;
    }

    private static Map<String, @Nullable Object> difference(PairedDifference difference) {
        return object(
                "value",
                difference.value(),
                "low",
                low(difference.interval()),
                "high",
                high(difference.interval()),
                "cases",
                difference.cases());
    }

    private static Object signFlip(JsonNode input) {
        SignFlipTest test = SignFlipTest.of(Reference.known(input.get("a")), Reference.known(input.get("b")));
        return object("p", test.p(), "method", test.method().name().toLowerCase(Locale.ROOT));
    }

    private static Object nonInferior(JsonNode input) {
        Interval interval = input.get("low").isNull()
                ? null
                : new Interval(input.get("low").asDouble(), input.get("high").asDouble());
        PairedDifference difference = new PairedDifference(null, interval, 0);
        return object(
                "verdict",
                NonInferiority.verdict(difference, input.get("margin").asDouble())
                        .name());
    }

    private static Object adjusted(JsonNode input) {
        return object(
                "holm",
                MultipleTests.holm(Reference.nullable(input.get("p"))),
                "benjaminiHochberg",
                MultipleTests.benjaminiHochberg(Reference.nullable(input.get("p"))));
    }
}
