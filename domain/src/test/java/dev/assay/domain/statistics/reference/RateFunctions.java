package dev.assay.domain.statistics.reference;

import static dev.assay.domain.statistics.reference.Reference.high;
import static dev.assay.domain.statistics.reference.Reference.interval;
import static dev.assay.domain.statistics.reference.Reference.level;
import static dev.assay.domain.statistics.reference.Reference.low;
import static dev.assay.domain.statistics.reference.Reference.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.statistics.AtLeast;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.ClopperPearson;
import dev.assay.domain.statistics.EffectiveSize;
import dev.assay.domain.statistics.FlakyCases;
import dev.assay.domain.statistics.IntraclassCorrelation;
import dev.assay.domain.statistics.LatencyQuantile;
import dev.assay.domain.statistics.ReducedRate;
import dev.assay.domain.statistics.ScoreReducer;
import dev.assay.domain.statistics.TrialRate;
import dev.assay.domain.statistics.WilsonScore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rates, reducers, flaky cases, latencies. */
public final class RateFunctions {

    public static final Map<String, Reference> ALL = Map.ofEntries(
            Map.entry(
                    "wilson",
                    input -> interval(WilsonScore.of(
                            input.get("successes").asInt(),
                            input.get("denominator").asInt(),
                            level(input)))),
            Map.entry(
                    "exact",
                    input -> interval(ClopperPearson.of(
                            input.get("value").asDouble(), input.get("n").asDouble(), level(input)))),
            Map.entry("effective", RateFunctions::effective),
            Map.entry("trial_rate", RateFunctions::trialRate),
            Map.entry(
                    "icc",
                    input -> object(
                            "value",
                            IntraclassCorrelation.of(CaseCounts.grouped(Reference.known(input.get("cases")))))),
            Map.entry("case_rate", RateFunctions::caseRate),
            Map.entry("at_least", input -> atLeast(input, input.path("j").asInt())),
            Map.entry("pass_at_k", input -> atLeast(input, 1)),
            Map.entry("pass_hat_k", input -> atLeast(input, input.get("k").asInt())),
            Map.entry(
                    "reduce_scores",
                    input -> object(
                            "value",
                            ScoreReducer.valueOf(input.get("reducer").asText().toUpperCase(Locale.ROOT))
                                    .reduce(Reference.doubles(input.get("scores"))))),
            Map.entry("reduced_rate", RateFunctions::reducedRate),
            Map.entry("flaky", RateFunctions::flaky),
            Map.entry("quantile", RateFunctions::quantile));

    private RateFunctions() {}

    private static Object effective(JsonNode input) {
        double[] rates = Reference.doubles(input.get("x"));
        if (!input.has("weights")) {
            return object("value", EffectiveSize.of(rates));
        }
        double[] weights = Reference.doubles(input.get("weights"));
        double squares = 0;
        double mean = 0;
        double meanSquare = 0;
        for (int i = 0; i < rates.length; i++) {
            squares += weights[i] * weights[i];
            mean += weights[i] * rates[i];
            meanSquare += weights[i] * rates[i] * rates[i];
        }
        return object(
                "value",
                EffectiveSize.of(
                        1 / squares, mean, meanSquare, input.get("trials").asDouble()));
    }

    private static Object trialRate(JsonNode input) {
        List<CaseCounts> cases = Reference.cases(input.get("cases"));
        TrialRate rate;
        if (input.has("groups")) {
            Map<String, List<CaseCounts>> groups = new LinkedHashMap<>();
            for (int i = 0; i < cases.size(); i++) {
                groups.computeIfAbsent(input.get("groups").get(i).asText(), _ -> new ArrayList<>())
                        .add(cases.get(i));
            }
            rate = TrialRate.ofGroups(groups, level(input));
        } else {
            rate = TrialRate.of(cases, level(input));
        }
        Map<String, @Nullable Object> object = object(
                "value",
                rate.value(),
                "low",
                low(rate.population()),
                "high",
                high(rate.population()),
                "suiteLow",
                low(rate.suite()),
                "suiteHigh",
                high(rate.suite()));
        object.putAll(
                object("cases", rate.counts().cases(), "trials", rate.counts().trials()));
        object.putAll(object(
                "passed", rate.counts().passed(), "unknown", rate.counts().unknown()));
        object.putAll(object("effective", rate.effective(), "icc", rate.icc(), "designEffect", rate.designEffect()));
        return object;
    }

    private static Object caseRate(JsonNode input) {
        Proportion rate = Proportion.of(
                input.get("s").asInt(), input.get("u").asInt(), input.get("n").asInt());
        return object("value", rate.value(), "low", rate.low(), "high", rate.high());
    }

    private static Object atLeast(JsonNode input, int least) {
        AtLeast rule = new AtLeast(least, input.get("k").asInt());
        return object(
                "value", rule.probability(input.get("c").asInt(), input.get("n").asInt()));
    }

    private static Object reducedRate(JsonNode input) {
        ReducedRate rate = ReducedRate.of(Reference.nullable(input.get("values")), level(input));
        return object(
                "value",
                rate.value(),
                "low",
                low(rate.population()),
                "high",
                high(rate.population()),
                "cases",
                rate.cases(),
                "undefined",
                rate.undefined());
    }

    private static Object flaky(JsonNode input) {
        List<FlakyCases.CaseTrials> cases = new ArrayList<>();
        input.get("cases")
                .properties()
                .forEach(entry -> cases.add(new FlakyCases.CaseTrials(
                        entry.getKey(),
                        entry.getValue().get(0).asInt(),
                        entry.getValue().get(1).asInt(),
                        entry.getValue().get(2).asInt(),
                        entry.getValue().get(3).asInt())));
        FlakyCases flaky = FlakyCases.of(cases);
        List<Object> rows = new ArrayList<>();
        flaky.flaky().forEach(one -> {
            Map<String, @Nullable Object> row = object("id", one.caseId(), "passed", one.passed());
            row.putAll(object("failed", one.failed(), "errors", one.errors(), "unknown", one.unknown()));
            row.putAll(object("disagreement", one.disagreement(), "passRate", one.passRate()));
            row.putAll(object("low", one.low(), "high", one.high()));
            rows.add(row);
        });
        return object(
                "flaky",
                rows,
                "share",
                flaky.share(),
                "low",
                low(flaky.interval()),
                "high",
                high(flaky.interval()),
                "of",
                flaky.of());
    }

    private static Object quantile(JsonNode input) {
        double[] sorted = Reference.doubles(input.get("times"));
        Arrays.sort(sorted);
        LatencyQuantile quantile = LatencyQuantile.of(
                sorted, input.get("over").asInt(), input.get("share").asDouble(), level(input));
        return object(
                "value", point(quantile.value()),
                "low", point(quantile.low()),
                "high", point(quantile.high()),
                "of", quantile.of());
    }

    private static @Nullable Object point(LatencyQuantile.@Nullable Point point) {
        return switch (point) {
            case null -> null;
            case LatencyQuantile.Point.Measured(double duration) -> duration;
            case LatencyQuantile.Point.OverLimit() -> "inf";
        };
    }
}
