package dev.assay.domain.statistics.reference;

import static dev.assay.domain.statistics.reference.Reference.level;
import static dev.assay.domain.statistics.reference.Reference.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.label.CalibrationTally;
import dev.assay.domain.label.CorrectedRate;
import dev.assay.domain.label.CorrectedRate.Why;
import dev.assay.domain.label.LabelValue;
import dev.assay.domain.label.PeoplesVerdict;
import dev.assay.domain.label.SampleOrder;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.TrialRate;
import dev.assay.domain.statistics.judging.PairedVerdicts;
import dev.assay.domain.statistics.judging.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Labels: what people say together, whom a sample takes, how far an evaluator agrees, and the corrected rate. */
public final class LabelFunctions {

    public static final Map<String, Reference> ALL = Map.of(
            "kappa", LabelFunctions::kappa,
            "share", LabelFunctions::share,
            "person", input -> PeoplesVerdict.of(labels(input.get("labels"))),
            "calibration", LabelFunctions::calibration,
            "transfer", LabelFunctions::transfer,
            "sample", LabelFunctions::sample);

    private LabelFunctions() {}

    /** Rows as [case, first, second]; one without both says nothing. */
    private static PairedVerdicts verdicts(JsonNode rows) {
        Map<String, Integer> cases = new HashMap<>();
        PairedVerdicts verdicts = new PairedVerdicts();
        for (JsonNode row : rows) {
            if (!row.get(1).isNull() && !row.get(2).isNull()) {
                verdicts.add(
                        cases.computeIfAbsent(row.get(0).asText(), _ -> cases.size()),
                        row.get(1).asBoolean(),
                        row.get(2).asBoolean());
            }
        }
        return verdicts;
    }

    private static Object kappa(JsonNode input) {
        return verdicts(input.get("rows")).kappa(level(input));
    }

    private static Object share(JsonNode input) {
        Map<String, CaseCounts> cases = new HashMap<>();
        input.get("pairs")
                .forEach(pair -> cases.merge(
                        pair.get(0).asText(),
                        new CaseCounts(pair.get(1).asInt(), 0, 1),
                        (one, other) ->
                                new CaseCounts(one.passed() + other.passed(), 0, one.planned() + other.planned())));
        return Share.of(cases.values(), level(input));
    }

    private static List<LabelValue> labels(JsonNode labels) {
        List<LabelValue> values = new ArrayList<>();
        labels.forEach(label -> values.add(label.isNull() ? LabelValue.UNSURE : new LabelValue(label.asDouble())));
        return values;
    }

    private static Object calibration(JsonNode input) {
        Map<String, Integer> cases = new HashMap<>();
        CalibrationTally tally = new CalibrationTally();
        for (JsonNode cell : input.get("cells")) {
            JsonNode verdict = cell.get("verdict");
            tally.add(
                    cases.computeIfAbsent(cell.get("case").asText(), _ -> cases.size()),
                    verdict.isNull() ? null : (Boolean) verdict.asBoolean(),
                    labels(cell.get("labels")));
        }
        return tally.calibrated(input.path("sampled").asBoolean(true) ? null : Why.NOT_SAMPLED, level(input));
    }

    private static Object transfer(JsonNode input) {
        List<CaseCounts> cases = new ArrayList<>();
        for (JsonNode one : input.get("cells")) {
            cases.add(new CaseCounts(
                    one.get(1).asInt(), one.get(2).asInt(), one.get(3).asInt()));
        }
        CorrectedRate rate = CorrectedRate.transferred(
                TrialRate.of(cases, level(input)),
                verdicts(input.get("labelled")).counts(),
                level(input));
        return object("value", rate.value(), "low", rate.low(), "high", rate.high(), "why", rate.why());
    }

    private static Object sample(JsonNode input) {
        SampleOrder<JsonNode> order =
                new SampleOrder<>(input.get("count").asInt(), input.get("seed").asLong());
        input.get("cells")
                .forEach(cell -> order.add(
                        cell.get(0).asText(), cell.get(1).asText(), cell.get(2).asInt(), cell));
        List<Map<String, @Nullable Object>> items = new ArrayList<>();
        order.sample().forEach(item -> items.add(object("item", item.name(), "cell", item.cell())));
        return items;
    }
}
