package dev.assay.cli.report;

import dev.assay.domain.gate.Proportion;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.statistics.Agreement;
import dev.assay.domain.statistics.BradleyTerryRating;
import java.util.List;
import java.util.Locale;

/** The result of a campaign as a table: a row for each branch. */
public final class ResultTable {

    private static final List<String> HEADINGS =
            List.of("Branch", "Trials passed", "95 % interval", "Cases passed", "Wins", "Tokens", "Cost", "p50", "p95");

    private ResultTable() {}

    /** The table, and a line on what judging took. */
    public static String of(CampaignSummary summary) {
        TextTable table = new TextTable(HEADINGS);
        for (BranchSummary branch : summary.branches()) {
            table.row(List.of(
                    branch.branchId(),
                    Numbers.percent(branch.trialPassRate().value()) + " (" + ofTotal(branch.trialPassRate()) + ")",
                    interval(branch.trialPassRate()),
                    ofTotal(branch.suitePassRate()),
                    branch.wins().denominator() == 0 ? Numbers.UNKNOWN : ofTotal(branch.wins()),
                    Numbers.count(branch.spend().usage().total()),
                    Numbers.cost(branch.spend().costUsd()),
                    Numbers.millis(branch.latency().p50Ms()),
                    Numbers.millis(branch.latency().p95Ms())));
        }
        return table.text() + notes(summary);
    }

    private static String notes(CampaignSummary summary) {
        StringBuilder notes = new StringBuilder();
        if (summary.judge().calls() > 0) {
            notes.append("Judge: ")
                    .append(Numbers.count(summary.judge().calls(), "call"))
                    .append(", ")
                    .append(Numbers.count(summary.judge().spend().usage().total(), "token"))
                    .append(", cost ")
                    .append(Numbers.cost(summary.judge().spend().costUsd()))
                    .append('\n');
        }
        Agreement agreement = summary.judge().agreement();
        if (agreement != null) {
            notes.append("Agreement of the judges: ")
                    .append(agreement(agreement))
                    .append('\n');
        }
        for (BradleyTerryRating rating : summary.judge().ranking()) {
            notes.append(rating(rating)).append('\n');
        }
        if (summary.selections().undecided() > 0) {
            int undecided = summary.selections().undecided();
            notes.append("Undecided: ")
                    .append(Numbers.count(undecided, "trial"))
                    .append(undecided == 1 ? "; it counts" : "; they count")
                    .append(" as no branch's win\n");
        }
        return notes.toString();
    }

    private static String rating(BradleyTerryRating rating) {
        String pairs = String.format(
                Locale.ROOT,
                "Pairs of %s: %s, %s, %s",
                rating.branchId(),
                Numbers.count(rating.wins(), "win"),
                Numbers.count(rating.ties(), "tie"),
                Numbers.count(rating.losses()) + (rating.losses() == 1 ? " loss" : " losses"));
        return rating.ability() == null
                ? pairs
                : pairs
                        + String.format(
                                Locale.ROOT,
                                "; ability %+.2f (%+.2f to %+.2f)",
                                rating.ability(),
                                rating.low(),
                                rating.high());
    }

    private static String agreement(Agreement agreement) {
        Double low = agreement.low();
        Double high = agreement.high();
        String interval = low == null || high == null ? "" : String.format(Locale.ROOT, " (%.2f to %.2f)", low, high);
        return agreement.alpha() == null
                ? "not defined, their values do not differ"
                : String.format(
                        Locale.ROOT,
                        "Krippendorff's alpha %.2f%s, %s",
                        agreement.alpha(),
                        interval,
                        Numbers.count(agreement.units(), "comparison"));
    }

    private static String ofTotal(Proportion rate) {
        return Numbers.count(rate.successes()) + "/" + Numbers.count(rate.denominator());
    }

    private static String interval(Proportion rate) {
        Double low = rate.low();
        Double high = rate.high();
        return low == null || high == null
                ? Numbers.UNKNOWN
                : Numbers.decimal(low * 100) + "–" + Numbers.decimal(high * 100) + " %";
    }
}
