package dev.assay.cli.report;

import dev.assay.domain.rendering.Numbers;
import dev.assay.domain.rendering.ResultNotes;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.Latency;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The result of a campaign as a table: a row for each branch. */
public final class ResultTable {

    private static final List<String> HEADINGS = List.of(
            "Branch",
            "Trials passed",
            "95 % interval",
            "Cases passed",
            "Errors",
            "Unknown",
            "Wins",
            "Tokens",
            "Cost",
            "p50",
            "p95");

    /** With fewer cells the 95th percentile is close to the longest of them, and says nothing about others. */
    private static final int LEAST_FOR_P95 = 20;

    private ResultTable() {}

    /** The table, and lines on what its numbers are worth and on the usage of judging. */
    public static String of(String campaignId, CampaignSummary summary) {
        return of(campaignId, summary, UnaryOperator.identity());
    }

    /**
     * The table, and lines on what its numbers are worth and on the usage of judging.
     *
     * @param pasted makes a command one that can be pasted
     */
    public static String of(String campaignId, CampaignSummary summary, UnaryOperator<String> pasted) {
        TextTable table = new TextTable(HEADINGS);
        for (BranchSummary branch : summary.branches()) {
            Latency latency = branch.latency();
            boolean enough = latency.outcomes() + latency.timedOut() >= LEAST_FOR_P95;
            table.row(List.of(
                    branch.branchId(),
                    Numbers.known(branch.trialPassRate()),
                    Numbers.interval(
                            branch.trialPassRate().low(), branch.trialPassRate().high()),
                    branch.suitePassRate().unknown() == 0
                            ? Numbers.ofKnown(branch.suitePassRate())
                            : Numbers.decided(branch.suitePassRate()),
                    Numbers.count(branch.trials().errors()),
                    Numbers.count(branch.trialPassRate().unknown()),
                    wins(branch),
                    Numbers.tokens(branch.spend().tokens()),
                    Numbers.spent(branch.spend()),
                    millis(latency.p50Ms(), latency.p50(), latency.limitMs()),
                    enough ? millis(latency.p95Ms(), latency.p95(), latency.limitMs()) : Numbers.UNKNOWN));
        }
        return table.text() + ResultNotes.of(campaignId, summary, pasted);
    }

    private static String wins(BranchSummary branch) {
        int ties = branch.chosen().ties();
        return branch.wins().denominator() == 0
                ? Numbers.UNKNOWN
                : Numbers.ofKnown(branch.wins()) + (ties == 0 ? "" : " + " + Numbers.count(ties, "tie"));
    }

    private static String millis(@Nullable Long millis, Latency.@Nullable Spread spread, @Nullable Long limit) {
        if (spread == null || !spread.overLimit()) {
            return Numbers.millis(millis);
        }
        return limit == null ? "> limit" : "> " + Numbers.millis(limit);
    }
}
