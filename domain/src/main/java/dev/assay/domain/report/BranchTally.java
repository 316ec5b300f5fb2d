package dev.assay.domain.report;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evidence.BranchEvidence;
import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.evidence.EvidenceTally;
import dev.assay.domain.evidence.Redraw;
import dev.assay.domain.gate.CaseGate;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDecision;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.SettledBranch;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.gate.forecast.GateRerun;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.report.fact.CellGroup;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.CaseScores;
import dev.assay.domain.statistics.FlakyCases;
import dev.assay.domain.statistics.FlakyCases.CaseTrials;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.TrialRate;
import dev.assay.domain.statistics.forecast.RerunChances;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.stop.SureLooks;
import dev.assay.domain.usage.Spend;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The sums of the outcomes of one branch. */
final class BranchTally {

    private final String branchId;
    private final boolean gated;
    private final TrialGrid grid;
    private final TallyRules rules;
    private final EvidenceTally evidence;
    private final Map<ErrorCode, Integer> errorCodes = new EnumMap<>(ErrorCode.class);
    private final Gate gate;
    private final BitSet selectable = new BitSet();
    private final BitSet won = new BitSet();
    private int ties;
    private final ScoreTally scores;
    private boolean alike;
    private Spend spend = Spend.NONE;
    private final LatencyTally latencies = new LatencyTally();
    private int notNeeded;
    private int skipped;
    private final @Nullable SureLooks looks;

    /**
     * @param redraws the first draws of its cells that were drawn again
     * @param carried the ordinals of its copies whose cells were drawn again elsewhere
     */
    BranchTally(
            String branchId,
            boolean gated,
            TrialGrid grid,
            TallyRules rules,
            Gate gate,
            List<Redraw> redraws,
            List<Integer> carried) {
        this.branchId = branchId;
        this.gated = gated;
        this.grid = grid;
        this.rules = rules;
        this.gate = gate;
        this.evidence = new EvidenceTally(grid, errors(), redraws, carried);
        RateRule rule = rules.gate().rule();
        this.looks = rule != null && rules.stopping().rule() == StopRule.SURE
                ? new SureLooks(grid, rules.stopping(), rule, gate.branches())
                : null;
        this.scores = new ScoreTally(grid, rules.reducers());
        redraws.forEach(this::score);
    }

    private void score(Redraw redraw) {
        Double score = redraw.score();
        if (score != null) {
            scores.allow(redraw.ordinal());
            scores.add(redraw.ordinal(), score);
        }
    }

    void add(CellGroup group) {
        group.caseIndexes().forEach(caseIndex -> add(grid.ordinal(caseIndex, group.trial()), group));
        if (group.status() == OutcomeStatus.NOT_NEEDED) {
            notNeeded += group.caseIndexes().size();
        }
        ErrorCode error = group.error();
        if (error != null && group.status().isFailure()) {
            long counted = group.caseIndexes().stream()
                    .filter(caseIndex -> evidence.redraw(grid.ordinal(caseIndex, group.trial())) == null)
                    .count();
            if (counted > 0) {
                errorCodes.merge(error, (int) counted, Integer::sum);
            }
        }
        spend = spend.plus(group.spend());
        switch (group.status()) {
            case COMPLETED, LIMIT -> measure(group);
            case TIMED_OUT -> group.caseIndexes().forEach(latencies::timeOut);
            case MODEL_ERROR, CANCELLED, BUDGET_SKIPPED, NOT_NEEDED -> {}
        }
    }

    private void add(int ordinal, CellGroup group) {
        TrialVerdict verdict = group.verdict();
        evidence.add(ordinal, group.status(), verdict);
        selectable.set(ordinal, group.selectable());
        Redraw redraw = evidence.redraw(ordinal);
        skipped += group.status() == OutcomeStatus.BUDGET_SKIPPED && redraw == null ? 1 : 0;
        if (redraw != null && redraw.disagrees(errors().seen(verdict))) {
            scores.dispute(ordinal);
        }
        if (evidence.redraw(ordinal) == null && errors().seen(verdict) != TrialVerdict.NO_EVIDENCE) {
            scores.allow(ordinal);
        }
        boolean isDrawn = group.status() != OutcomeStatus.NOT_NEEDED || evidence.redraw(ordinal) != null;
        if (looks != null && isDrawn) {
            looks.add(group.trial(), evidence.bound(ordinal, verdict));
        }
    }

    /** Adds a score; scores of trials of which nothing is known do not count, nor those of later draws. */
    void addScore(int ordinal, double score) {
        if (evidence.redraw(ordinal) == null) {
            scores.add(ordinal, score);
        }
    }

    /** Its trials are copies of each other. */
    void foundAlike() {
        alike = true;
    }

    /** @param ordinal the trial that it won */
    void win(int ordinal) {
        won.set(ordinal);
    }

    /** A rule for ties took it among others that were as good. */
    void tie() {
        ties++;
    }

    /** Adds up. */
    BranchSummary summarize(List<String> caseIds, BitSet decided) {
        BranchEvidence known = new BranchEvidence(evidence.cases(), errors(), rules.groups());
        List<CaseCounts> counts = known.counts();
        List<CaseCounts> bounds = known.bounds();
        List<CaseScores> scored = scores.points(counts);
        List<CaseSummary> cases = cases(caseIds, known, scored);
        Looked looked = looks == null ? null : look(looks);
        SureLooks.Sure sure = looked == null ? null : looked.sure();
        GateDecision decision = looked == null
                ? gate.decide(bounds, known.doubt())
                : Gate.ofLooks(sure == null ? null : sure.verdict(), looked.turns(), known.doubt());
        return new BranchSummary(
                branchId,
                gated,
                decision.verdict(),
                decision.reasons(),
                suitePassRate(counts, bounds, known),
                known.trialRate(),
                trials(known),
                new BranchSummary.Chosen(wins(decided), ties),
                spend,
                latencies.summarize(rules.timeout()),
                cases,
                repeatability(caseIds, known, decision.verdict(), counts),
                scores.rates(scored, scores.bounds(bounds)),
                early(sure));
    }

    /**
     * The looks at its rounds.
     *
     * @param sure the first look that was; null: none was
     * @param turns whether one would be if all were known
     */
    private record Looked(SureLooks.@Nullable Sure sure, boolean turns) {}

    private Looked look(SureLooks rounds) {
        evidence.withoutOutcome().forEach(redraw -> rounds.add(grid.trial(redraw.ordinal()), redraw.first()));
        Looked looked = new Looked(rounds.decided(), rounds.couldDecide());
        evidence.withoutOutcome().forEach(redraw -> rounds.remove(grid.trial(redraw.ordinal()), redraw.first()));
        return looked;
    }

    /** Cases that passed, of all; a case is asked when one of its trials is. */
    private Proportion suitePassRate(List<CaseCounts> counts, List<CaseCounts> bounds, BranchEvidence known) {
        return Proportion.of(cases(counts), cases(bounds), known.sum(one -> one.asked() > 0 ? 1 : 0));
    }

    private CaseCounts cases(List<CaseCounts> counts) {
        List<CaseStatus> statuses = SettledBranch.of(
                        counts, rules.gate().passThreshold(), rules.gate().effectiveSuiteThreshold())
                .cases();
        return new CaseCounts(
                Collections.frequency(statuses, CaseStatus.PASSED),
                Collections.frequency(statuses, CaseStatus.INCONCLUSIVE),
                statuses.size());
    }

    private EarlyStop early(SureLooks.@Nullable Sure sure) {
        return rules.stopping().rule() == StopRule.NONE
                ? EarlyStop.NONE
                : EarlyStop.of(sure, EarlyStop.Saved.of(notNeeded, spend, evidence.outcomes() - notNeeded));
    }

    private BranchSummary.TrialCounts trials(BranchEvidence known) {
        int passed = known.sum(CaseEvidence::passed);
        int failed = known.sum(CaseEvidence::failed);
        int all = known.sum(CaseEvidence::allErrors);
        return new BranchSummary.TrialCounts(
                passed,
                failed,
                all,
                grid.size() - passed - failed - all,
                known.sum(CaseEvidence::unscored),
                known.sum(CaseEvidence::notNeeded),
                skipped,
                known.sum(one -> one.redraws().count()),
                errorCodes);
    }

    private List<CaseSummary> cases(List<String> caseIds, BranchEvidence known, List<CaseScores> scored) {
        List<CaseSummary> cases = new ArrayList<>(caseIds.size());
        // An interval takes microseconds; a hundred thousand cases have a few dozen different ones.
        Map<CaseEvidence, Proportion> rates = new HashMap<>();
        for (int i = 0; i < caseIds.size(); i++) {
            Proportion rate = rates.computeIfAbsent(
                    known.cases().get(i),
                    one -> Proportion.of(one.counts(errors()), one.bounds(errors()), one.asked()));
            cases.add(CaseSummary.of(
                    caseIds.get(i),
                    known.cases().get(i),
                    CaseGate.of(
                            known.cases().get(i).bounds(errors()), rules.gate().passThreshold()),
                    rate,
                    scored.isEmpty() ? Map.of() : scores.reduced(scored.get(i))));
        }
        return cases;
    }

    private Repeatability repeatability(
            List<String> caseIds, BranchEvidence known, Verdict verdict, List<CaseCounts> counts) {
        FlakyCases flaky = FlakyCases.of(IntStream.range(0, caseIds.size())
                .mapToObj(i -> flakiness(caseIds.get(i), known.cases().get(i)))
                .toList());
        RerunChances chances =
                GateRerun.of(gate.policy(), gate.branches(), rules.stopping().rule(), counts);
        boolean onlyBeside =
                gated && gate.policy().rule() == null && !gate.policy().countsCases();
        return Repeatability.of(flaky, verdict, chances == null || !onlyBeside ? chances : RerunChances.PASSES, alike);
    }

    private static CaseTrials flakiness(String caseId, CaseEvidence one) {
        int without = one.planned() - one.passed() - one.failed() - one.allErrors();
        return new CaseTrials(caseId, one.passed(), one.failed(), one.allErrors(), without);
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

    private ErrorTreatment errors() {
        return rules.gate().demands().errors();
    }

    private void measure(CellGroup group) {
        for (int i = 0; i < group.caseIndexes().size(); i++) {
            latencies.measure(group.caseIndexes().get(i), group.latenciesMs().get(i));
        }
    }
}
