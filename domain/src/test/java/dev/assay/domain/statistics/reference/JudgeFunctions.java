package dev.assay.domain.statistics.reference;

import static dev.assay.domain.statistics.reference.Reference.high;
import static dev.assay.domain.statistics.reference.Reference.interval;
import static dev.assay.domain.statistics.reference.Reference.level;
import static dev.assay.domain.statistics.reference.Reference.low;
import static dev.assay.domain.statistics.reference.Reference.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.judging.BradleyTerry;
import dev.assay.domain.statistics.judging.Confusion;
import dev.assay.domain.statistics.judging.KrippendorffAlpha;
import dev.assay.domain.statistics.judging.PairedVerdicts;
import dev.assay.domain.statistics.judging.PositionBias;
import dev.assay.domain.statistics.judging.PredictionPowered;
import dev.assay.domain.statistics.judging.PredictionPowered.Judged;
import dev.assay.domain.statistics.judging.PredictionPowered.Labelled;
import dev.assay.domain.statistics.judging.RoganGladen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges: how far they agree, who is stronger, how they compare with people. */
public final class JudgeFunctions {

    public static final Map<String, Reference> ALL = Map.of(
            "krippendorff", JudgeFunctions::krippendorff,
            "position_bias", JudgeFunctions::positionBias,
            "bradley_terry", JudgeFunctions::bradleyTerry,
            "confusion", JudgeFunctions::confusion,
            "rogan_gladen", JudgeFunctions::roganGladen,
            "ppi", JudgeFunctions::predictionPowered,
            "ppi_lambda",
                    input -> object("value", PredictionPowered.lambda(pairs(input), judged(input.get("rest"), false))),
            "ppi_plain", input -> plain(pairs(input), judged(input.get("rest"), false), level(input)));

    private JudgeFunctions() {}

    private static Object krippendorff(JsonNode input) {
        var distance = KrippendorffAlpha.Distance.valueOf(
                input.path("distance").asText("nominal").toUpperCase(Locale.ROOT));
        if (distance == KrippendorffAlpha.Distance.NOMINAL) {
            KrippendorffAlpha<String> alpha = new KrippendorffAlpha<>(distance);
            units(input, (caseIndex, unit) -> {
                List<String> values = new ArrayList<>();
                unit.forEach(value -> values.add(value.asText()));
                alpha.add(caseIndex, values);
            });
            return alpha.agreement(level(input));
        }
        KrippendorffAlpha<Double> alpha = new KrippendorffAlpha<>(distance);
        units(input, (caseIndex, unit) -> {
            List<Double> values = new ArrayList<>();
            unit.forEach(value -> values.add(value.asDouble()));
            alpha.add(caseIndex, values);
        });
        return alpha.agreement(level(input));
    }

    private interface UnitConsumer {
        void accept(int caseIndex, JsonNode unit);
    }

    private static void units(JsonNode input, UnitConsumer units) {
        Map<String, Integer> cases = new HashMap<>();
        for (int i = 0; i < input.get("units").size(); i++) {
            String name = input.path("cases").path(i).asText(Integer.toString(i));
            units.accept(
                    cases.computeIfAbsent(name, _ -> cases.size()),
                    input.get("units").get(i));
        }
    }

    private static Object positionBias(JsonNode input) {
        PositionBias.Counter counter = new PositionBias.Counter();
        input.get("readings")
                .forEach(one -> counter.add(one.get(0).asInt(), one.get(1).asInt()));
        PositionBias bias = counter.bias();
        return object(
                "value",
                bias.value(),
                "low",
                low(bias.interval()),
                "high",
                high(bias.interval()),
                "expected",
                bias.expected(),
                "of",
                bias.of());
    }

    private static Object bradleyTerry(JsonNode input) {
        BradleyTerry model = new BradleyTerry(input.get("players").asInt());
        Map<String, Integer> cases = new HashMap<>();
        for (JsonNode game : input.get("games")) {
            double points = game.get(2).asDouble();
            model.add(
                    cases.computeIfAbsent(game.get(3).asText(), _ -> cases.size()),
                    game.get(0).asInt(),
                    game.get(1).asInt(),
                    points == 1
                            ? BradleyTerry.Result.WON
                            : points == 0 ? BradleyTerry.Result.LOST : BradleyTerry.Result.DRAWN);
        }
        BradleyTerry.Standings standings = model.standings(level(input));
        List<@Nullable Object> abilities = new ArrayList<>();
        for (BradleyTerry.@Nullable Ability ability : standings.abilities()) {
            abilities.add(
                    ability == null
                            ? null
                            : object(
                                    "ability",
                                    ability.ability(),
                                    "low",
                                    low(ability.interval()),
                                    "high",
                                    high(ability.interval())));
        }
        List<Object> pairs = new ArrayList<>();
        standings.pairs().forEach(pair -> {
            Map<String, @Nullable Object> object = object("one", pair.one(), "other", pair.other());
            object.putAll(object("wins", pair.wins(), "p", pair.p()));
            object.putAll(interval(pair.interval()));
            pairs.add(object);
        });
        return object(
                "abilities", abilities, "connected", standings.connected(), "cases", standings.cases(), "pairs", pairs);
    }

    private static Object confusion(JsonNode input) {
        // Each trial is of a case of its own: they are independent.
        PairedVerdicts verdicts = new PairedVerdicts();
        input.get("labels")
                .forEach(label -> verdicts.add(
                        verdicts.counts().trials(),
                        label.get(0).asInt() == 1,
                        label.get(1).asInt() == 1));
        Confusion counts = verdicts.counts();
        return object(
                "sensitivity", verdicts.sensitivity(Quantiles.LEVEL),
                "specificity", verdicts.specificity(Quantiles.LEVEL),
                "agreement", verdicts.agreement(Quantiles.LEVEL),
                "kappa", counts.kappa(),
                "bias", counts.bias(),
                "counts", new int[] {counts.bothPass(), counts.onlyFirst(), counts.onlySecond(), counts.bothFail()});
    }

    private static Object roganGladen(JsonNode input) {
        RoganGladen corrected = RoganGladen.of(
                input.get("p").asDouble(),
                input.get("n").asDouble(),
                new RoganGladen.Labels(
                        input.get("tn").asInt(),
                        input.get("m0").asInt(),
                        input.get("tp").asInt(),
                        input.get("m1").asInt()),
                level(input));
        Map<String, @Nullable Object> object = interval(corrected == null ? null : corrected.interval());
        object.put("value", corrected == null ? null : corrected.value());
        return object;
    }

    private static Object predictionPowered(JsonNode input) {
        List<Labelled> labelled = new ArrayList<>();
        input.get("labelled")
                .forEach(one -> labelled.add(new Labelled(
                        one.get(0).asInt(), one.get(1).asDouble(), one.get(2).asDouble())));
        List<Judged> rest = judged(input.get("rest"), true);
        PredictionPowered mean = PredictionPowered.of(labelled, rest, level(input));
        Map<String, @Nullable Object> object = interval(mean.interval());
        object.putAll(object("value", mean.value(), "lambda", mean.lambda(), "labelledCases", mean.labelledCases()));
        if (!labelled.isEmpty() && !rest.isEmpty()) {
            object.put("plain", plain(labelled, rest, level(input)));
        }
        return object;
    }

    private static List<Judged> judged(JsonNode rest, boolean withCase) {
        List<Judged> judged = new ArrayList<>();
        rest.forEach(one -> judged.add(
                withCase ? new Judged(one.get(0).asInt(), one.get(1).asDouble()) : new Judged(0, one.asDouble())));
        return judged;
    }

    private static List<Labelled> pairs(JsonNode input) {
        List<Labelled> pairs = new ArrayList<>();
        for (int i = 0; i < input.get("y").size(); i++) {
            pairs.add(new Labelled(
                    i, input.get("y").get(i).asDouble(), input.get("f").get(i).asDouble()));
        }
        return pairs;
    }

    /** PPI++ as it was published, for independent trials: the product has it only by case. Checks lambda and the mean. */
    private static Map<String, @Nullable Object> plain(List<Labelled> labelled, List<Judged> rest, double level) {
        double lambda = PredictionPowered.lambda(labelled, rest);
        double[] residuals = labelled.stream()
                .mapToDouble(one -> one.person() - lambda * one.judge())
                .toArray();
        double[] judged = rest.stream().mapToDouble(Judged::judge).toArray();
        double value = lambda * mean(judged) + mean(residuals);
        double error =
                Math.sqrt(variance(residuals) / residuals.length + lambda * lambda * variance(judged) / judged.length);
        double half = Quantiles.normal(level) * error;
        return object("value", value, "low", value - half, "high", value + half, "lambda", lambda);
    }

    private static double mean(double[] values) {
        return java.util.Arrays.stream(values).average().orElseThrow();
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return mean(java.util.Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .toArray());
    }
}
