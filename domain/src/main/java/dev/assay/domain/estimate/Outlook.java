package dev.assay.domain.estimate;

import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.forecast.AskedShares;
import dev.assay.domain.gate.forecast.BaselineRates;
import dev.assay.domain.gate.forecast.GateKind;
import dev.assay.domain.gate.forecast.PlannedSuite;
import dev.assay.domain.gate.forecast.VerdictChances;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.FindableDifference;
import dev.assay.domain.statistics.forecast.PrecisionForecast;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.suite.GroupBy;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The outlook of one campaign file: what its gate would say, what it could show, and which part of its cells it would ask. */
final class Outlook {

    private final CampaignDefinition definition;
    private final int cases;
    private final Collection<Long> groups;
    private final PlanAssumptions assumed;
    private final StopRule stop;
    private final GateKind kind;
    private final int gated;

    Outlook(CampaignSubmission submission, RecordedRuns recorded, PlanAssumptions assumed) {
        this.definition = submission.definition();
        this.cases = submission.suite().cases().size();
        this.assumed = assumed;
        this.stop = submission.stop();
        GatePolicy policy = definition.gate();
        this.gated = policy.branches().isEmpty()
                ? definition.branches().size()
                : policy.branches().size();
        this.kind = GateKind.of(policy, gated, stop, baseline(recorded.baseline(), assumed));
        GroupBy groupBy = definition.groupBy();
        this.groups = groupBy == null
                ? List.of()
                : submission.suite().cases().stream()
                        .map(groupBy::group)
                        .filter(Objects::nonNull)
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                        .values();
    }

    private static @Nullable BaselineRates baseline(@Nullable RecordedBaseline known, PlanAssumptions assumed) {
        return known == null
                ? null
                : new BaselineRates(known.rate(), known.trials(), known.shared(), assumed.correlation());
    }

    private PlannedSuite suite(int trials, double rate) {
        return new PlannedSuite(cases, trials, rate, assumed.icc());
    }

    /** The gate's verdicts at a true rate, with the campaign's own trials. */
    PlannedGate gate(double rate) {
        return gate(definition.trials(), rate);
    }

    /** A campaign passes when all gated branches do, each with cases of its own. */
    PlannedGate gate(int trials, double rate) {
        VerdictChances chances = kind.chances(suite(trials, rate));
        return new PlannedGate(rate, chances.passes(gated), chances.sameTwice(gated));
    }

    /** The share of its trials that each branch is asked, on average; empty: all are. */
    List<Double> shares(int trials) {
        if (stop == StopRule.NONE) {
            return List.of();
        }
        AskedShares shares = AskedShares.of(definition.gate(), gated, stop, suite(trials, assumed.rate()));
        return definition.branches().stream()
                .map(branch -> isGated(branch.id()) ? shares.gated() : shares.others())
                .toList();
    }

    private boolean isGated(String branchId) {
        return definition.gate().branches().isEmpty()
                || definition.gate().branches().contains(branchId);
    }

    PlannedTrials.PlannedPrecision precision(int trials) {
        double rate = assumed.rate();
        PrecisionForecast forecast = new PrecisionForecast(trials, rate, assumed.icc(), assumed.correlation());
        int sign = assumed.isGain() ? 1 : -1;
        FindableDifference findable = new FindableDifference(
                size -> forecast.pairVariance(Math.clamp(rate + sign * size, 0, 1)),
                assumed.isGain() ? 1 - rate : rate,
                assumed.power(),
                Quantiles.LEVEL);
        Double smallest = findable.smallest(cases);
        Long needed = findable.casesNeeded(assumed.difference());
        double squares =
                groups.stream().mapToDouble(size -> (double) size * size).sum();
        return new PlannedTrials.PlannedPrecision(
                forecast.printedHalfWidth(
                        cases,
                        groups.isEmpty() ? cases : groups.size(),
                        groups.isEmpty() ? cases : cases / squares * cases,
                        Quantiles.LEVEL),
                forecast.printedHalfWidthRunAgain(cases, Quantiles.LEVEL),
                smallest,
                needed,
                smallest == null || needed == null ? FindableDifference.Why.NONE_FINDABLE : null);
    }
}
