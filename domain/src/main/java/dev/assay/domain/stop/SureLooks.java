package dev.assay.domain.stop;

import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.SureLook;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.statistics.sequential.LookErrors;
import org.jspecify.annotations.Nullable;

/**
 * The looks of {@code stop: sure} at one branch: one after each round in which every case has had its trial. The first look that
 * is sure decides, whatever later trials say. What is unknown counts as failed for PASS and as passed for FAIL.
 */
public final class SureLooks {

    private final int cases;
    private final RateRule rule;
    private final int branches;
    private final LookErrors errors;
    private final int[] done;
    private final int[] passed;
    private final int[] unknown;

    /**
     * Nothing is done yet.
     *
     * @param stopping by how many of the grid's trials the campaign was extended
     * @param branches how many branches the gate looks at, at least 1: each could make the campaign fail
     */
    public SureLooks(TrialGrid grid, Stopping stopping, RateRule rule, int branches) {
        this.cases = grid.cases();
        this.rule = rule;
        this.branches = branches;
        this.errors = LookErrors.of(rule.alpha(), stopping.planned(grid.trials()), stopping.extensions());
        this.done = new int[grid.trials()];
        this.passed = new int[grid.trials()];
        this.unknown = new int[grid.trials()];
    }

    /**
     * The result of the first look that was sure.
     *
     * @param verdict PASS or FAIL
     * @param bound how often such a verdict may be wrong, 0–1
     */
    public record Sure(Verdict verdict, double bound) {}

    /** Counts a cell that is done, in repetition {@code trial}, from 1. */
    public void add(int trial, TrialVerdict verdict) {
        count(trial, verdict, 1);
    }

    /** Takes back what was added. */
    public void remove(int trial, TrialVerdict verdict) {
        count(trial, verdict, -1);
    }

    private void count(int trial, TrialVerdict verdict, int by) {
        done[trial - 1] += by;
        passed[trial - 1] += verdict == TrialVerdict.PASSED ? by : 0;
        unknown[trial - 1] += verdict == TrialVerdict.NO_EVIDENCE ? by : 0;
    }

    /** Whether a look would be sure if everything that is unknown or missing had passed, or had failed. */
    public boolean couldDecide() {
        return decided(1) != null || decided(0) != null;
    }

    /** The decision of the looks; null: none was sure. */
    public @Nullable Sure decided() {
        return decided(null);
    }

    /** @param share of what is unknown that counts as passed, 0 or 1; null: it stays unknown */
    private @Nullable Sure decided(@Nullable Integer share) {
        int allPassed = 0;
        int allUnknown = 0;
        for (int round = 0; round < done.length && (share != null || done[round] == cases); round++) {
            int open = cases - done[round] + unknown[round];
            allPassed += passed[round] + (share == null ? 0 : share * open);
            allUnknown += share == null ? open : 0;
            Verdict look = look(
                    allPassed, allUnknown, (round + 1) * cases, errors.levels().get(round));
            if (look != Verdict.INCONCLUSIVE) {
                return new Sure(look, errors.bound());
            }
        }
        return null;
    }

    private Verdict look(int passedSoFar, int unknownSoFar, int of, double error) {
        if (SureLook.verdict(passedSoFar, unknownSoFar, of, rule.threshold(), error) == Verdict.PASS) {
            return Verdict.PASS;
        }
        boolean fails =
                SureLook.verdict(passedSoFar, unknownSoFar, of, rule.threshold(), error / branches) == Verdict.FAIL;
        return fails ? Verdict.FAIL : Verdict.INCONCLUSIVE;
    }
}
