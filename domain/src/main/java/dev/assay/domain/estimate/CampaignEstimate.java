package dev.assay.domain.estimate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.statistics.forecast.GateForecast;
import dev.assay.domain.statistics.forecast.PrecisionForecast;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The estimated cost of a campaign that has not run, and what its result could show. The names are those of its JSON.
 *
 * @param size how large it is
 * @param planned what it takes and can show with its own trials
 * @param asked what one call of each branch and of the judges takes
 * @param assumptions what is taken for granted
 * @param byTrials the same with 1, 2, 5 and 10 trials, and those of the campaign
 * @param gate what the gate would say, by the true rate, with the campaign's own trials
 */
public record CampaignEstimate(
        @JsonUnwrapped PlannedSize size,
        @JsonUnwrapped PlannedTrials planned,
        List<AskedEstimate> asked,
        PlanAssumptions assumptions,
        List<PlannedTrials> byTrials,
        List<PlannedGate> gate) {

    private static final List<Integer> TRIALS = List.of(1, 2, 5, 10);
    private static final List<Double> RATES = List.of(0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0);

    public CampaignEstimate {
        asked = List.copyOf(asked);
        byTrials = List.copyOf(byTrials);
        gate = List.copyOf(gate);
    }

    /**
     * The size of a campaign.
     *
     * @param cases of its suite
     * @param branches under comparison
     * @param cells answers of branches
     * @param judgeCalls calls of judges, or asks of a custom strategy, at most; apart from retries and repairs
     */
    public record PlannedSize(int cases, int branches, long cells, long judgeCalls) {}

    /**
     * The estimate.
     *
     * @param providers what can be asked, by name, with prices; empty: unknown
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when something given is out of its range
     */
    public static CampaignEstimate of(
            CampaignSubmission submission,
            Map<String, ProviderInfo> providers,
            RecordedRuns recorded,
            PlanAssumptions.Given given) {
        CampaignDefinition definition = submission.definition();
        PlannedSize size = size(submission);
        List<AskedEstimate> asked = new AskedEstimates(submission, providers, recorded).all();
        PlanAssumptions assumptions = PlanAssumptions.of(given, recorded.rate());
        TreeSet<Integer> trials = new TreeSet<>(TRIALS);
        trials.add(definition.trials());
        return new CampaignEstimate(
                size,
                planned(size.cases(), definition.trials(), asked, assumptions, definition),
                asked,
                assumptions,
                trials.stream()
                        .map(count -> planned(size.cases(), count, asked, assumptions, definition))
                        .toList(),
                RATES.stream()
                        .map(rate -> gate(size.cases(), definition.trials(), rate, assumptions.icc(), definition))
                        .toList());
    }

    /** Whether any call may cost money. */
    @JsonIgnore
    public boolean isPaidFor() {
        return asked.stream().anyMatch(one -> one.basis() != AskedEstimate.Basis.FREE);
    }

    private static PlannedSize size(CampaignSubmission submission) {
        CampaignDefinition definition = submission.definition();
        int cases = submission.suite().cases().size();
        long trials = (long) cases * definition.trials();
        return new PlannedSize(
                cases,
                definition.branches().size(),
                trials * definition.branches().size(),
                trials * (AskedEstimates.judgeCalls(definition) + AskedEstimates.graderCalls(submission)));
    }

    private static PlannedTrials planned(
            int cases, int trials, List<AskedEstimate> asked, PlanAssumptions assumed, CampaignDefinition definition) {
        PrecisionForecast forecast =
                new PrecisionForecast(trials, assumed.rate(), assumed.icc(), assumed.correlation());
        PlannedGate gate = gate(cases, trials, assumed.rate(), assumed.icc(), definition);
        return new PlannedTrials(
                trials,
                cost((long) cases * trials, asked),
                new PlannedTrials.PlannedPrecision(
                        forecast.halfWidth(cases, Quantiles.LEVEL),
                        forecast.halfWidthRunAgain(cases, Quantiles.LEVEL),
                        forecast.smallestDifference(cases, assumed.power(), Quantiles.LEVEL),
                        forecast.casesNeeded(assumed.difference(), assumed.power(), Quantiles.LEVEL)),
                gate.passes(),
                gate.sameTwice());
    }

    private static PlannedTrials.PlannedCost cost(long trials, List<AskedEstimate> asked) {
        long calls = 0;
        long unpriced = 0;
        Long tokens = null;
        BigDecimal cost = null;
        for (AskedEstimate one : asked) {
            long count = trials * one.callsPerTrial();
            calls += count;
            tokens = one.tokens() == null ? tokens : (Long) (orZero(tokens) + one.tokens() * count);
            if (one.costUsd() == null) {
                unpriced += count;
            } else {
                BigDecimal all = one.costUsd().multiply(BigDecimal.valueOf(count));
                cost = cost == null ? all : cost.add(all);
            }
        }
        return new PlannedTrials.PlannedCost(calls, tokens, cost, unpriced);
    }

    private static long orZero(@Nullable Long count) {
        return count == null ? 0 : count;
    }

    /** A campaign passes when all gated branches do, each with a chance of its own. */
    private static PlannedGate gate(int cases, int trials, double rate, double icc, CampaignDefinition definition) {
        GatePolicy policy = definition.gate();
        int gated = policy.branches().isEmpty()
                ? definition.branches().size()
                : policy.branches().size();
        double one = new GateForecast(
                        cases,
                        trials,
                        new Threshold(policy.passThreshold()),
                        new Threshold(policy.effectiveSuiteThreshold()))
                .passes(rate, icc);
        double all = Math.pow(one, gated);
        return new PlannedGate(rate, all, all * all + (1 - all) * (1 - all));
    }
}
