package dev.assay.cli.report;

import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.estimate.AskedEstimate.Basis;
import dev.assay.domain.estimate.CampaignEstimate;
import dev.assay.domain.estimate.PlanAssumptions;
import dev.assay.domain.estimate.PlannedTrials.PlannedCost;
import dev.assay.domain.estimate.RecordedRuns;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.rendering.Numbers;
import dev.assay.domain.report.CostWarning;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;

/** The size of a campaign that was not started yet: the calls that it will make. */
public record CampaignSize(CampaignSubmission submission, CampaignEstimate estimate) {

    /**
     * The size, as far as it is known without a server.
     *
     * @param providers what can be asked, with prices; empty: unknown
     */
    public static CampaignSize of(CampaignSubmission submission, Map<String, ProviderInfo> providers) {
        return new CampaignSize(
                submission,
                CampaignEstimate.of(submission, providers, RecordedRuns.NONE, PlanAssumptions.Given.NOTHING));
    }

    /** The same campaign by an estimate of the server that will run it. */
    public CampaignSize by(CampaignEstimate server) {
        return new CampaignSize(submission, server);
    }

    /**
     * The size in words, such as
     * {@code 20 cases × 2 branches × 2 trials = 80 cells, and 40 judge calls; at most $1.20 without retries}.
     */
    public String text() {
        PlannedCost cost = estimate.planned().cost();
        return counts()
                + (cost.unpriced() == 0 && isBound()
                        ? "; at most " + Numbers.cost(cost.costUsd()) + " without retries"
                        : "");
    }

    /** What will happen: calls, tokens and money, apart from retries. */
    public String calls() {
        String calls = Numbers.count(estimate.planned().cost().calls(), "call");
        return isPaidFor()
                ? counts() + ": " + calls + ", " + tokens() + ", " + money() + ". Each may cost money."
                : counts() + ": " + calls + ", all replayed or scripted: nothing is paid.";
    }

    /** Whether there are at least {@code from} calls. */
    public boolean isDueFrom(long from) {
        CampaignEstimate.PlannedSize size = estimate.size();
        return new CostWarning(size.cells(), size.judgeCalls()).isDueFrom(from);
    }

    /** Whether any branch, judge or strategy asks a provider, instead of recorded or scripted answers. */
    public boolean isPaidFor() {
        return estimate.isPaidFor();
    }

    private String counts() {
        CampaignEstimate.PlannedSize size = estimate.size();
        return String.format(
                Locale.ROOT,
                "%s × %s × %s = %,d %s%s",
                count(size.cases(), "case"),
                count(size.branches(), "branch", "branches"),
                count(estimate.planned().trials(), "trial"),
                size.cells(),
                size.cells() == 1 ? "cell" : "cells",
                judging());
    }

    private String judging() {
        long calls = estimate.size().judgeCalls();
        if (calls == 0) {
            return "";
        }
        return submission.definition().strategy().plugin().isPresent()
                ? String.format(Locale.ROOT, ", and at most %,d asks of the strategy", calls)
                : String.format(Locale.ROOT, ", and %,d judge %s", calls, calls == 1 ? "call" : "calls");
    }

    private String tokens() {
        Long tokens = estimate.planned().cost().tokens();
        boolean isOpen = estimate.asked().stream().anyMatch(one -> one.basis() != Basis.FREE && one.tokens() == null);
        return isOpen || tokens == null ? "tokens unknown" : most() + Numbers.count(tokens, "token") + source();
    }

    /** The cost in words. A budget bounds calls without another bound. */
    private String money() {
        PlannedCost cost = estimate.planned().cost();
        BigDecimal budget = submission.definition().limits().budgetUsd();
        BigDecimal known = cost.unpriced() == 0 ? cost.costUsd() : null;
        if (budget != null && (known == null || known.compareTo(budget) > 0)) {
            return "cost at most " + Numbers.cost(budget) + " by the budget";
        }
        return known == null ? "cost unknown" : "cost " + most() + Numbers.cost(known) + source();
    }

    private String most() {
        return isBound() ? "at most " : "about ";
    }

    private String source() {
        return isBound() ? " by declared limits" : " by recorded usage";
    }

    /** Whether a declared limit is among what was added up. */
    private boolean isBound() {
        return estimate.asked().stream().anyMatch(one -> one.basis() == Basis.LIMITS);
    }

    private static String count(int count, String one) {
        return count(count, one, one + "s");
    }

    private static String count(int count, String one, String many) {
        return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
    }
}
