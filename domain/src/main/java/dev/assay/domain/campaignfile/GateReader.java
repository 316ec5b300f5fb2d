package dev.assay.domain.campaignfile;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Suggestion;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.gate.RateRule;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The reader of the gate of a campaign. */
final class GateReader {

    static final Fields FIELDS = Fields.of(
            "gate",
            "passThreshold",
            "suiteThreshold",
            "branches",
            "minAgreement",
            "errors",
            "maxErrorRate",
            "rule",
            "baseline");
    static final Fields RULE = Fields.of("gateRule", "metric", "threshold", "alpha");
    static final Fields BASELINE = Fields.of("gateBaseline", "campaign", "branch", "maxDrop", "pair");

    private static final NumberRule SHARE = NumberRule.between(0, 1);
    private static final NumberRule THRESHOLD = SHARE.withCode("EVAL_INVALID_THRESHOLD");
    private static final Map<String, ErrorTreatment> ERRORS = new TreeMap<>(Map.of(
            "provider", ErrorTreatment.PROVIDER,
            "fail", ErrorTreatment.FAIL,
            "unknown", ErrorTreatment.UNKNOWN));
    private static final Map<String, RateRule.Metric> METRICS = Map.of("trial-rate", RateRule.Metric.TRIAL_RATE);
    /** Below it no campaign has trials enough; above it a coin is surer. */
    private static final NumberRule ALPHA =
            new NumberRule(new BigDecimal("0.000001"), true, new BigDecimal("0.5"), THRESHOLD.decimals(), "");

    private GateReader() {}

    static GatePolicy read(FieldReader document, List<Branch> branches) {
        FieldReader fields = document.objectOrEmpty("gate", FIELDS);
        BigDecimal pass = fields.decimal("passThreshold", THRESHOLD);
        BigDecimal suite = fields.nullableDecimal("suiteThreshold", THRESHOLD);
        // Every item is kept, usable or not, so that the place in the list is the place in the document.
        List<String> named = fields.list("branches", (node, path, problems) -> {
            String text = TextRules.textItem(node, path, problems);
            return text == null ? "" : text;
        });
        checkNames(fields, named, branches.stream().map(Branch::id).toList());
        GatePolicy gate = new GatePolicy(
                pass == null ? GatePolicy.DEFAULT.passThreshold() : pass.doubleValue(),
                suite == null ? null : suite.doubleValue(),
                named,
                demands(fields),
                rule(fields),
                baseline(fields));
        checkAgreement(fields, gate);
        return gate;
    }

    private static GateDemands demands(FieldReader fields) {
        BigDecimal agreement = fields.nullableDecimal("minAgreement", SHARE);
        BigDecimal errorRate = fields.nullableDecimal("maxErrorRate", SHARE);
        return new GateDemands(
                agreement == null ? null : agreement.doubleValue(),
                fields.word("errors", ERRORS, GateDemands.NONE.errors()),
                errorRate == null ? GateDemands.NONE.maxErrorRate() : errorRate.doubleValue());
    }

    private static @Nullable RateRule rule(FieldReader gate) {
        FieldReader fields = gate.hasValue("rule") ? gate.object("rule", RULE) : null;
        if (fields == null) {
            return null;
        }
        RateRule.Metric metric = fields.word("metric", METRICS, RateRule.Metric.TRIAL_RATE);
        BigDecimal threshold = fields.required("threshold") == null ? null : fields.decimal("threshold", THRESHOLD);
        BigDecimal alpha = fields.nullableDecimal("alpha", ALPHA);
        return new RateRule(
                metric,
                threshold == null ? 1 : threshold.doubleValue(),
                alpha == null ? RateRule.DEFAULT_ALPHA : alpha.doubleValue());
    }

    private static @Nullable BaselineRule baseline(FieldReader gate) {
        FieldReader fields = gate.hasValue("baseline") ? gate.object("baseline", BASELINE) : null;
        if (fields == null) {
            return null;
        }
        BigDecimal drop = fields.nullableDecimal("maxDrop", SHARE);
        return new BaselineRule(
                fields.id("campaign"),
                fields.hasValue("branch") ? fields.id("branch") : null,
                drop == null ? BaselineRule.DEFAULT_MAX_DROP : drop.doubleValue(),
                fields.word("pair", Pairing.BY_WORD, Pairing.CONTENT));
    }

    /** A re-run is forecast for thresholds, not for a rule or a baseline. */
    private static void checkAgreement(FieldReader fields, GatePolicy gate) {
        if (gate.demands().minAgreement() == null || gate.countsCases()) {
            return;
        }
        fields.problem(
                "minAgreement",
                gate.rule() != null
                        ? "`minAgreement` asks whether the thresholds would say the same again, and `rule` stands in"
                                + " their place; its `alpha` says how sure it is. Remove one of them."
                        : "`minAgreement` asks whether the thresholds would say the same again; write `suiteThreshold`"
                                + " beside `baseline`, or remove `minAgreement`.");
    }

    private static void checkNames(FieldReader fields, List<String> named, List<String> known) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < named.size(); i++) {
            String path = DocumentPath.item(fields.path("branches"), i);
            String name = named.get(i);
            if (fields.problems().foundAt(path)) {
                continue;
            }
            if (!known.contains(name)) {
                String suggestion = Suggestion.of(name, new ArrayList<>(known), "branches");
                fields.problems().add(path, "There is no branch `" + name + "`; " + suggestion);
            } else if (!seen.add(name)) {
                fields.problems().add(path, "Branch `" + name + "` is named twice; remove one.");
            }
        }
    }
}
