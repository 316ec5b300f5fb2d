package dev.assay.cli.report;

import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.estimate.AskedEstimate;
import dev.assay.domain.estimate.CampaignEstimate;
import dev.assay.domain.estimate.NoRate;
import dev.assay.domain.estimate.PlanAssumptions;
import dev.assay.domain.estimate.PlannedDuration;
import dev.assay.domain.estimate.PlannedGate;
import dev.assay.domain.estimate.PlannedTrials;
import dev.assay.domain.rendering.Numbers;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A plan for people: its size, the cost and precision of more trials, and the gate's verdicts. */
public final class PlanTable {

    private static final String NONE = "none";

    private PlanTable() {}

    /** The tables, and their assumptions. */
    public static String of(CampaignEstimate plan) {
        CampaignEstimate.PlannedSize size = plan.size();
        return Numbers.count(size.cases(), "case") + ", " + size.branches()
                + (size.branches() == 1 ? " branch, " : " branches, ")
                + Numbers.count(plan.planned().trials(), "trial") + ": "
                + Numbers.count(plan.planned().cost().calls(), "call") + expected(plan) + "\n"
                + duration(plan.planned().duration()) + "\n"
                + asked(plan)
                + DeliveryTable.of(plan)
                + "\n" + trials(plan)
                + "\n" + gate(plan)
                + "\n" + assumed(plan)
                + warnings(plan);
    }

    private static String warnings(CampaignEstimate plan) {
        List<CampaignWarning> warnings = plan.warnings();
        return warnings == null
                ? ""
                : warnings.stream()
                        .map(warning -> "\nWarning: " + warning.text() + "\n")
                        .collect(Collectors.joining());
    }

    private static String expected(CampaignEstimate plan) {
        PlannedTrials.PlannedCost expected = plan.planned().expected();
        return expected == null
                ? ""
                : " at most, " + Numbers.count(expected.calls()) + " on average, since it stops early";
    }

    private static String duration(@Nullable PlannedDuration duration) {
        Long seconds = duration == null ? null : duration.seconds();
        if (duration == null || seconds == null) {
            return "";
        }
        return "At least " + DurationText.of(seconds) + (duration.bound() == null ? "" : ", by " + duration.bound())
                + ".\n";
    }

    private static String asked(CampaignEstimate plan) {
        TextTable table = new TextTable(List.of("Asked", "Calls per trial", "Tokens", "Cost", "Basis"));
        for (AskedEstimate one : plan.asked()) {
            String most = one.basis() == AskedEstimate.Basis.LIMITS ? "≤ " : "";
            table.row(List.of(
                    one.who(),
                    Numbers.count(one.callsPerTrial()),
                    tokens(most, one.tokens()),
                    one.costUsd() == null ? Numbers.UNKNOWN : most + Numbers.cost(one.costUsd()),
                    switch (one.basis()) {
                        case RECORDED -> "as in " + one.from();
                        case LIMITS -> "limits";
                        case FREE -> "nothing is paid";
                        case UNKNOWN -> "unknown";
                    }));
        }
        return table.text();
    }

    private static String tokens(String most, @Nullable Long tokens) {
        return tokens == null ? Numbers.UNKNOWN : most + Numbers.count(tokens);
    }

    private static String trials(CampaignEstimate plan) {
        TextTable table = new TextTable(List.of(
                "Trials",
                "Calls",
                "Tokens",
                "Cost",
                "± rate",
                "± run again",
                "finds",
                "cases needed",
                "P(PASS)",
                "P(same twice)"));
        for (PlannedTrials one : plan.byTrials()) {
            PlannedTrials.PlannedCost cost = one.expected() == null ? one.cost() : one.expected();
            Long needed = one.precision().casesNeeded();
            table.row(List.of(
                    Numbers.count(one.trials()),
                    Numbers.count(cost.calls()),
                    tokens("", cost.tokens()),
                    Numbers.cost(cost.costUsd()) + (cost.unpriced() > 0 ? " + unknown" : ""),
                    points(one.precision().halfWidth()),
                    points(one.precision().halfWidthRunAgain()),
                    points(one.precision().smallestDifference()),
                    needed == null ? NONE : Numbers.count(needed),
                    Numbers.percent(one.passes()),
                    Numbers.percent(one.sameTwice())));
        }
        return table.text();
    }

    private static String points(@Nullable Double share) {
        return share == null ? NONE : String.format(Locale.ROOT, "%.1f pp", share * 100);
    }

    private static String gate(CampaignEstimate plan) {
        TextTable table = new TextTable(List.of("True rate", "P(PASS)", "P(same twice)"));
        for (PlannedGate one : plan.gate()) {
            table.row(List.of(
                    Numbers.percent(one.rate()), Numbers.percent(one.passes()), Numbers.percent(one.sameTwice())));
        }
        return table.text();
    }

    private static String assumed(CampaignEstimate plan) {
        PlanAssumptions assumed = plan.assumptions();
        String source = assumed.measuredIn() == null
                ? "given, or guessed where nothing is measured"
                : "measured in " + assumed.measuredIn();
        return String.format(
                        Locale.ROOT,
                        "Assumed: pass rate %.3f (%s), ICC %.2f, correlation %.2f. Cases needed find a difference of"
                                + " %.3f in %.0f %% of comparisons.%n",
                        assumed.rate(),
                        source,
                        assumed.icc(),
                        assumed.correlation(),
                        assumed.difference(),
                        assumed.power() * 100)
                + notes(plan)
                + "Retries are not counted.\n";
    }

    private static String notes(CampaignEstimate plan) {
        NoRate why = plan.assumptions().why();
        boolean findsNone =
                plan.byTrials().stream().anyMatch(one -> one.precision().smallestDifference() == null);
        boolean isExpected = plan.planned().expected() != null;
        return (why == null ? "" : "No pass rate is taken from that campaign: " + reason(why) + "\n")
                + (findsNone ? "Finds none: with so few cases no difference from this rate is found as often.\n" : "")
                + (isExpected ? "Calls, tokens and cost are those of an average campaign that stops early.\n" : "");
    }

    private static String reason(NoRate why) {
        return switch (why) {
            case OTHER_SUITE -> "it has other cases.";
            case OTHER_MODELS -> "its branches asked other models.";
            case NOT_ENDED -> "it has not ended.";
            case NOTHING_KNOWN -> "none of its trials has a result.";
        };
    }
}
