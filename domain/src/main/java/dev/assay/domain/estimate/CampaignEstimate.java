package dev.assay.domain.estimate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.provider.ProviderInfo;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The estimated cost of a campaign that has not run, and what its result could show. The names are those of its JSON.
 *
 * @param planned what it takes and can show with its own trials
 * @param asked what one call of each branch and of the judges takes
 * @param byTrials the same with 1, 2, 5 and 10 trials, and those of the campaign
 * @param gate what the gate would say, by the true rate, with the campaign's own trials
 * @param delivery what each branch that may be asked in batches of its provider costs and takes either way; null: an older plan
 * @param warnings what the author should know; null: an older plan
 */
public record CampaignEstimate(
        @JsonUnwrapped PlannedSize size,
        @JsonUnwrapped PlannedTrials planned,
        List<AskedEstimate> asked,
        PlanAssumptions assumptions,
        List<PlannedTrials> byTrials,
        List<PlannedGate> gate,
        @Nullable List<PlannedDelivery> delivery,
        @Nullable List<CampaignWarning> warnings) {

    private static final List<Integer> TRIALS = List.of(1, 2, 5, 10);
    private static final List<Double> RATES = List.of(0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0);

    public CampaignEstimate {
        asked = List.copyOf(asked);
        byTrials = List.copyOf(byTrials);
        gate = List.copyOf(gate);
        delivery = delivery == null ? null : List.copyOf(delivery);
    }

    /**
     * The size of a campaign.
     *
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
        AskedEstimates estimates = new AskedEstimates(submission, providers, recorded);
        List<AskedEstimate> asked = estimates.all();
        Calls calls = new Calls(estimates.calls(), definition.limits().maxConcurrent());
        PlanAssumptions assumptions = PlanAssumptions.of(given, recorded);
        Outlook outlook = new Outlook(submission, recorded, assumptions);
        TreeSet<Integer> trials = new TreeSet<>(TRIALS);
        trials.add(definition.trials());
        return new CampaignEstimate(
                size,
                planned(size.cases(), definition.trials(), asked, calls, assumptions, outlook),
                asked,
                assumptions,
                trials.stream()
                        .map(count -> planned(size.cases(), count, asked, calls, assumptions, outlook))
                        .toList(),
                RATES.stream().map(outlook::gate).toList(),
                estimates.delivery(),
                submission.warnings().stream()
                        .map(CampaignWarning.Code::warning)
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

    private record Calls(List<PlannedCalls> all, int maxConcurrent) {}

    private static PlannedTrials planned(
            int cases, int trials, List<AskedEstimate> asked, Calls calls, PlanAssumptions assumed, Outlook outlook) {
        PlannedGate gate = outlook.gate(trials, assumed.rate());
        long all = (long) cases * trials;
        List<Double> shares = outlook.shares(trials);
        return new PlannedTrials(
                trials,
                cost(all, asked, List.of()),
                shares.isEmpty() ? null : cost(all, asked, shares),
                outlook.precision(trials),
                gate.passes(),
                gate.sameTwice(),
                PlannedDuration.of(calls.all(), all, calls.maxConcurrent()));
    }

    /**
     * The cost. Judges and graders read what branches answered: they are asked as often as a branch, on average.
     *
     * @param shares which part of the trials each branch is asked; empty: all
     */
    private static PlannedTrials.PlannedCost cost(long trials, List<AskedEstimate> asked, List<Double> shares) {
        double mean = shares.stream().mapToDouble(Double::doubleValue).average().orElse(1);
        long calls = 0;
        long unpriced = 0;
        Long tokens = null;
        BigDecimal cost = null;
        for (int i = 0; i < asked.size(); i++) {
            AskedEstimate one = asked.get(i);
            long count = Math.round(trials * one.callsPerTrial() * (i < shares.size() ? shares.get(i) : mean));
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
}
