package dev.assay.domain.report;

import dev.assay.domain.gate.CaseGate;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.report.fact.CellGroup;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.CaseScores;
import dev.assay.domain.statistics.FlakyCases;
import dev.assay.domain.statistics.FlakyCases.CaseTrials;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.statistics.TrialRate;
import dev.assay.domain.statistics.forecast.RerunForecast;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.stop.SureLooks;
import dev.assay.domain.usage.Spend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The sums of the outcomes of one branch. */
final class BranchTally {

    private final String branchId;
    private final boolean gated;
    private final TrialGrid grid;
    private final TallyRules rules;
    private final int gatedBranches;
    private final BitSet seen = new BitSet();
    private final BitSet selectable = new BitSet();
    private final BitSet won = new BitSet();
    private int ties;
    private final int[] passedByCase;
    private final int[] failedByCase;
    private final int[] errorsByCase;
    private final ScoreTally scores;
    private Spend spend = Spend.NONE;
    private long[] latencies = new long[64];
    private int measured;
    private int timedOut;
    private int notNeeded;
    private final @Nullable SureLooks looks;

    /** @param gatedBranches how many branches the gate looks at */
    BranchTally(String branchId, boolean gated, TrialGrid grid, TallyRules rules, int gatedBranches) {
        this.branchId = branchId;
        this.gated = gated;
        this.grid = grid;
        this.rules = rules;
        this.passedByCase = new int[grid.cases()];
        this.failedByCase = new int[grid.cases()];
        this.errorsByCase = new int[grid.cases()];
        this.gatedBranches = gatedBranches;
        RateRule rule = rules.gate().rule();
        this.looks = rule != null && rules.stopping().rule() == StopRule.SURE
                ? new SureLooks(grid, rules.stopping(), rule, gatedBranches)
                : null;
        this.scores = new ScoreTally(grid, rules.reducers());
    }

    void add(CellGroup group) {
        TrialVerdict verdict = group.verdict();
        for (int caseIndex : group.caseIndexes()) {
            int ordinal = grid.ordinal(caseIndex, group.trial());
            if (seen.get(ordinal)) {
                throw new IllegalArgumentException(
                        "Branch " + branchId + " has two outcomes of trial " + group.trial() + " of case " + caseIndex);
            }
            seen.set(ordinal);
            selectable.set(ordinal, group.selectable());
            if (isScorable(verdict)) {
                scores.allow(ordinal);
            }
            count(caseIndex, verdict);
        }
        if (group.status() == OutcomeStatus.NOT_NEEDED) {
            notNeeded += group.caseIndexes().size();
        } else if (looks != null) {
            group.caseIndexes()
                    .forEach(_ -> looks.add(
                            group.trial(), rules.gate().demands().errors().seen(verdict)));
        }
        spend = spend.plus(group.spend());
        switch (group.status()) {
            case COMPLETED, LIMIT -> group.latenciesMs().forEach(this::measure);
            case TIMED_OUT -> timedOut += group.caseIndexes().size();
            case MODEL_ERROR, CANCELLED, BUDGET_SKIPPED, NOT_NEEDED -> {}
        }
    }

    /** Adds a score; scores of trials of which nothing is known do not count. */
    void addScore(int ordinal, double score) {
        scores.add(ordinal, score);
    }

    /** @param ordinal the trial that it won */
    void win(int ordinal) {
        won.set(ordinal);
    }

    /** A rule for ties took it among others that were as good. */
    void tie() {
        ties++;
    }

    /**
     * Adds up.
     *
     * @param decided the trials that were decided
     */
    BranchSummary summarize(List<String> caseIds, BitSet decided) {
        GatePolicy gate = rules.gate();
        List<CaseCounts> counts =
                IntStream.range(0, grid.cases()).mapToObj(this::countsOf).toList();
        List<CaseScores> scored = scores.of(counts);
        List<CaseSummary> cases = cases(caseIds, gate.passThreshold(), scored);
        Proportion suite =
                Proportion.of(count(cases, CaseStatus.PASSED), count(cases, CaseStatus.INCONCLUSIVE), cases.size());
        SortedMap<CaseCounts, Integer> groups = CaseCounts.grouped(counts);
        BranchSummary.TrialCounts trials = trials();
        Proportion trialRate = Proportion.ofTrials(trialRate(counts, groups), trials.errors());
        return new BranchSummary(
                branchId,
                gated,
                verdict(suite, trialRate),
                suite,
                trialRate,
                trials,
                new BranchSummary.Chosen(wins(decided), ties),
                spend,
                Latency.of(Arrays.copyOf(latencies, measured), timedOut, rules.timeout()),
                cases,
                repeatability(caseIds, counted(suite), groups),
                scores.rates(scored),
                early());
    }

    private EarlyStop early() {
        return rules.stopping().rule() == StopRule.NONE
                ? EarlyStop.NONE
                : EarlyStop.of(
                        looks == null ? null : looks.decided(),
                        EarlyStop.Saved.of(notNeeded, spend, seen.cardinality() - notNeeded));
    }

    private TrialRate trialRate(List<CaseCounts> cases, SortedMap<CaseCounts, Integer> groups) {
        List<String> groupOf = rules.groups();
        return groupOf == null
                ? TrialRate.of(groups, Quantiles.LEVEL)
                : TrialRate.ofGroups(
                        IntStream.range(0, cases.size())
                                .boxed()
                                .collect(Collectors.groupingBy(
                                        groupOf::get, Collectors.mapping(cases::get, Collectors.toList()))),
                        Quantiles.LEVEL);
    }

    private BranchSummary.TrialCounts trials() {
        int passed = Arrays.stream(passedByCase).sum();
        int failed = Arrays.stream(failedByCase).sum();
        int errors = Arrays.stream(errorsByCase).sum();
        return new BranchSummary.TrialCounts(passed, failed, errors, grid.size() - passed - failed - errors);
    }

    private Verdict counted(Proportion suite) {
        return Proportion.verdict(
                suite.successes(),
                suite.unknown(),
                suite.denominator(),
                rules.gate().effectiveSuiteThreshold());
    }

    /** The verdict on one branch. A demand for a baseline only is decided later. */
    private Verdict verdict(Proportion suite, Proportion trialRate) {
        RateRule rule = rules.gate().rule();
        if (looks != null) {
            SureLooks.Sure sure = looks.decided();
            return sure == null ? Verdict.INCONCLUSIVE : sure.verdict();
        }
        if (rule != null) {
            return rule.verdict(trialRate.successes(), trialRate.unknown(), trialRate.denominator(), gatedBranches);
        }
        return rules.gate().countsCases() ? counted(suite) : Verdict.PASS;
    }

    private List<CaseSummary> cases(List<String> caseIds, double threshold, List<CaseScores> scored) {
        List<CaseSummary> cases = new ArrayList<>(caseIds.size());
        // An interval takes microseconds; a hundred thousand cases have a few dozen different ones.
        Map<CaseGate, Proportion> rates = new HashMap<>();
        for (int i = 0; i < caseIds.size(); i++) {
            CaseGate gate = CaseGate.of(passedByCase[i], unknown(i), grid.trials(), threshold);
            Proportion rate = rates.computeIfAbsent(
                    gate, one -> Proportion.of(one.passCount(), one.noEvidence(), one.totalTrials()));
            cases.add(CaseSummary.of(
                    caseIds.get(i), gate, rate, scored.isEmpty() ? Map.of() : scores.reduced(scored.get(i))));
        }
        return cases;
    }

    private Repeatability repeatability(List<String> caseIds, Verdict verdict, SortedMap<CaseCounts, Integer> groups) {
        FlakyCases flaky = FlakyCases.of(IntStream.range(0, caseIds.size())
                .mapToObj(i -> new CaseTrials(
                        caseIds.get(i), passedByCase[i], failedByCase[i], errorsByCase[i], withoutEvidence(i)))
                .toList());
        Double rerunPass = RerunForecast.passes(
                groups,
                grid.trials(),
                new Threshold(rules.gate().passThreshold()),
                new Threshold(rules.gate().effectiveSuiteThreshold()));
        return Repeatability.of(flaky, verdict, rerunPass);
    }

    /** Of the decided trials in which the branch could be chosen. Trials of one case are no independent ones here, too. */
    private Proportion wins(BitSet decided) {
        int[] possible = new int[grid.cases()];
        int[] wins = new int[grid.cases()];
        decided.stream()
                .filter(ordinal -> selectable.get(ordinal) || won.get(ordinal))
                .forEach(ordinal -> {
                    possible[grid.caseIndex(ordinal)]++;
                    wins[grid.caseIndex(ordinal)] += won.get(ordinal) ? 1 : 0;
                });
        List<CaseCounts> cases = IntStream.range(0, grid.cases())
                .filter(i -> possible[i] > 0)
                .mapToObj(i -> new CaseCounts(wins[i], 0, possible[i]))
                .toList();
        return Proportion.ofTrials(TrialRate.of(cases, Quantiles.LEVEL), 0);
    }

    private CaseCounts countsOf(int caseIndex) {
        return new CaseCounts(passedByCase[caseIndex], unknown(caseIndex), grid.trials());
    }

    private boolean errorsAreUnknown() {
        return rules.gate().demands().errors() == ErrorTreatment.UNKNOWN;
    }

    /** The number of trials of a case without evidence for the gate. */
    private int unknown(int caseIndex) {
        return withoutEvidence(caseIndex) + (errorsAreUnknown() ? errorsByCase[caseIndex] : 0);
    }

    private int withoutEvidence(int caseIndex) {
        return grid.trials() - passedByCase[caseIndex] - failedByCase[caseIndex] - errorsByCase[caseIndex];
    }

    private static int count(List<CaseSummary> cases, CaseStatus status) {
        return (int) cases.stream().filter(one -> one.status() == status).count();
    }

    private void count(int caseIndex, TrialVerdict verdict) {
        switch (verdict) {
            case PASSED -> passedByCase[caseIndex]++;
            case FAILED -> failedByCase[caseIndex]++;
            case ERROR -> errorsByCase[caseIndex]++;
            case NO_EVIDENCE -> {}
        }
    }

    private boolean isScorable(TrialVerdict verdict) {
        return switch (verdict) {
            case PASSED, FAILED -> true;
            case ERROR -> !errorsAreUnknown();
            case NO_EVIDENCE -> false;
        };
    }

    private void measure(long latencyMs) {
        if (measured == latencies.length) {
            latencies = Arrays.copyOf(latencies, measured * 2);
        }
        latencies[measured++] = latencyMs;
    }
}
