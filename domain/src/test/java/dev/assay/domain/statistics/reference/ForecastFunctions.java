package dev.assay.domain.statistics.reference;

import static dev.assay.domain.statistics.reference.Reference.level;
import static dev.assay.domain.statistics.reference.Reference.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.statistics.forecast.GateForecast;
import dev.assay.domain.statistics.forecast.PrecisionForecast;
import dev.assay.domain.statistics.forecast.RerunForecast;
import java.util.Map;

/** What a campaign would say that has not run. */
public final class ForecastFunctions {

    public static final Map<String, Reference> ALL = Map.of(
            "rerun_pass", ForecastFunctions::rerun,
            "plan_rate", ForecastFunctions::rate,
            "pair_variance", ForecastFunctions::pairVariance,
            "plan_difference",
                    input -> object(
                            "difference",
                            precision(input)
                                    .smallestDifference(input.get("cases").asInt(), power(input), level(input))),
            "plan_cases",
                    input -> object(
                            "cases",
                            precision(input)
                                    .casesNeeded(input.get("difference").asDouble(), power(input), level(input))),
            "plan_gate", ForecastFunctions::gate);

    private ForecastFunctions() {}

    private static Object rerun(JsonNode input) {
        return object(
                "passes",
                RerunForecast.passes(
                        CaseCounts.grouped(Reference.known(input.get("cases"))),
                        input.get("trials").asInt(),
                        new Threshold(input.get("passThreshold").asDouble()),
                        new Threshold(input.get("suiteThreshold").asDouble())));
    }

    private static Object rate(JsonNode input) {
        int cases = input.get("cases").asInt();
        return object(
                "population",
                precision(input).halfWidth(cases, level(input)),
                "suite",
                precision(input).halfWidthRunAgain(cases, level(input)));
    }

    private static Object pairVariance(JsonNode input) {
        PrecisionForecast forecast = new PrecisionForecast(
                input.get("trials").asInt(),
                input.get("rateA").asDouble(),
                input.get("icc").asDouble(),
                input.get("correlation").asDouble());
        return object("value", forecast.pairVariance(input.get("rateB").asDouble()));
    }

    private static Object gate(JsonNode input) {
        GateForecast forecast = new GateForecast(
                input.get("cases").asInt(),
                input.get("trials").asInt(),
                new Threshold(input.get("passThreshold").asDouble()),
                new Threshold(input.get("suiteThreshold").asDouble()));
        return object(
                "passes",
                forecast.passes(input.get("rate").asDouble(), input.get("icc").asDouble()));
    }

    private static PrecisionForecast precision(JsonNode input) {
        return new PrecisionForecast(
                input.get("trials").asInt(),
                input.get("rate").asDouble(),
                input.get("icc").asDouble(),
                input.path("correlation").asDouble());
    }

    private static double power(JsonNode input) {
        return input.path("power").asDouble(PrecisionForecast.POWER);
    }
}
