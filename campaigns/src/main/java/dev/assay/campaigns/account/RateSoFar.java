package dev.assay.campaigns.account;

import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.plan.OrderRule;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.sequential.MixtureSequence;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.BranchCounters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pass rate that may be looked at while it grows. Its interval covers the true rate at every moment at once, however often one
 * looks or when one stops (Robbins 1970). Once the campaign has completed it is the rate of the report.
 *
 * @param value of what is known, 0–1; null when nothing is
 * @param interval of the true rate, at {@link Quantiles#LEVEL}
 * @param isSorted whether cases are asked in the order of the file, so that those to come may be harder or easier
 * @param passed cells that passed; of one that was asked again the first draw counts
 * @param known cells of which something is known
 */
public record RateSoFar(@Nullable Double value, Interval interval, boolean isSorted, long passed, long known) {

    /** The rate of some branches of a campaign together. */
    public static RateSoFar of(StoredCampaign campaign, List<BranchCounters> branches) {
        Proportion rate = branches.size() == 1 ? branches.getFirst().trialRate() : null;
        return rate == null || rate.low() == null || rate.high() == null
                ? running(campaign, branches)
                : new RateSoFar(
                        rate.known(),
                        new Interval(rate.low(), rate.high()),
                        false,
                        rate.successes(),
                        rate.denominator() - rate.unknown());
    }

    private static RateSoFar running(StoredCampaign campaign, List<BranchCounters> branches) {
        ErrorTreatment errors = campaign.definition().gate().demands().errors();
        long passed = branches.stream().mapToLong(BranchCounters::passedFirst).sum();
        long known = branches.stream().mapToLong(branch -> branch.known(errors)).sum();
        return new RateSoFar(
                known == 0 ? null : (Double) ((double) passed / known),
                MixtureSequence.of(passed, known, 1 - Quantiles.LEVEL),
                isSorted(campaign, branches),
                passed,
                known);
    }

    private static boolean isSorted(StoredCampaign campaign, List<BranchCounters> branches) {
        long planned = (long) campaign.grid().size() * branches.size();
        boolean haveAllEnded = branches.stream().mapToLong(BranchCounters::done).sum() >= planned;
        return !haveAllEnded && campaign.caseCount() > 1 && campaign.orderRule() != OrderRule.DRAWN;
    }
}
