package dev.assay.cli.report;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.selection.JudgePlan;
import dev.assay.domain.selection.Strategy;
import java.util.Locale;
import java.util.stream.Stream;

/** How much a campaign that was not started yet will ask for. */
public record CampaignSize(CampaignSubmission submission) {

    /** Such as {@code 20 cases × 2 branches × 2 trials = 80 cells, and 40 judge calls}. */
    public String text() {
        int cases = submission.suite().cases().size();
        int branches = submission.definition().branches().size();
        int trials = submission.definition().trials();
        return String.format(
                Locale.ROOT,
                "%s × %s × %s = %,d %s%s",
                count(cases, "case"),
                count(branches, "branch", "branches"),
                count(trials, "trial"),
                cells(),
                cells() == 1 ? "cell" : "cells",
                judging());
    }

    private String judging() {
        if (submission.definition().strategy() instanceof Strategy.Custom custom) {
            return custom.maxAsks() == 0
                    ? ""
                    : String.format(Locale.ROOT, ", and at most %,d asks of the strategy", trials() * custom.maxAsks());
        }
        long calls = judgeCalls();
        return calls == 0 ? "" : String.format(Locale.ROOT, ", and %,d judge %s", calls, calls == 1 ? "call" : "calls");
    }

    private static String count(int count, String one) {
        return count(count, one, one + "s");
    }

    private static String count(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    /** Whether any branch, judge or strategy asks a provider, instead of recorded or scripted answers. */
    public boolean isPaidFor() {
        CampaignDefinition definition = submission.definition();
        return Stream.concat(definition.branches().stream().map(Branch::agent), definition.evaluators().stream())
                .anyMatch(agent -> switch (agent) {
                    case Agent.Model model -> true;
                    case Agent.Replay replay -> false;
                    case Agent.Scripted scripted -> false;
                });
    }

    /** Judge calls of the campaign when every branch completes, apart from retries and repairs. */
    public long judgeCalls() {
        CampaignDefinition definition = submission.definition();
        int ofTrial =
                JudgePlan.calls(definition.strategy(), definition.branches().size());
        return trials() * ofTrial;
    }

    private long trials() {
        return (long) submission.suite().cases().size()
                * submission.definition().trials();
    }

    /** Cells of the campaign. */
    public long cells() {
        return (long) submission.suite().cases().size()
                * submission.definition().branches().size()
                * submission.definition().trials();
    }
}
