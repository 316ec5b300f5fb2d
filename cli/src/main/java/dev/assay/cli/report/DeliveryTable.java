package dev.assay.cli.report;

import dev.assay.domain.delivery.AutoDelivery;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.estimate.AskedEstimate;
import dev.assay.domain.estimate.CampaignEstimate;
import dev.assay.domain.estimate.PlannedDelivery;
import dev.assay.domain.rendering.Numbers;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the branches of a plan cost and take live, and in batches of their providers. */
final class DeliveryTable {

    private static final String NOT_KNOWN = "not known, up to 24 h";

    private DeliveryTable() {}

    /** The table; nothing where no branch may be asked in batches. */
    static String of(CampaignEstimate plan) {
        List<PlannedDelivery> branches = plan.delivery();
        if (branches == null || branches.isEmpty()) {
            return "";
        }
        TextTable table =
                new TextTable(List.of("Delivery", "Goes", "Live", "By batch", "Saves", "Live takes", "Batches take"));
        branches.forEach(one -> table.row(row(one, isBound(plan, one) ? "≤ " : "")));
        return "\n" + table.text() + notes(branches);
    }

    private static boolean isBound(CampaignEstimate plan, PlannedDelivery branch) {
        return plan.asked().stream()
                .anyMatch(asked -> asked.who().equals(branch.branch()) && asked.basis() == AskedEstimate.Basis.LIMITS);
    }

    private static List<String> row(PlannedDelivery one, String most) {
        return List.of(
                one.branch(),
                goes(one),
                cost(most, one.liveUsd()),
                cost(most, one.batchUsd()) + (one.assumed() && one.batchUsd() != null ? ", assumed" : ""),
                cost(most, one.savedUsd()),
                one.liveSeconds() == null ? "not known" : "at least " + DurationText.of(one.liveSeconds()),
                one.batchSeconds() == null
                        ? NOT_KNOWN
                        : "about " + DurationText.of(one.batchSeconds()) + ", as the last "
                                + Numbers.count(one.lastBatches()));
    }

    private static String goes(PlannedDelivery one) {
        AutoDelivery.Why why = one.why();
        String way = one.goes() == Delivery.BATCH ? "by batch" : "live";
        return why == null ? way : way + ": " + why.words();
    }

    private static String cost(String most, @Nullable BigDecimal usd) {
        return usd == null ? Numbers.UNKNOWN : most + Numbers.cost(usd);
    }

    private static String notes(List<PlannedDelivery> branches) {
        return branches.stream().anyMatch(PlannedDelivery::assumed)
                ? "Assumed: where providers.yaml has no `prices.*.batch`, a batch costs half the live price.\n"
                : "";
    }
}
