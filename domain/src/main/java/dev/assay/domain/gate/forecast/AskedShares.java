package dev.assay.domain.gate.forecast;

import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.stop.StopRule;
import java.util.Objects;

/**
 * The share of their cells that a campaign which stops early asks of its branches, on average. It asks them round by round. Calls
 * in flight when it stops are not counted.
 *
 * @param gated of a branch that the gate looks at, 0–1
 * @param others of another branch, 0–1
 */
public record AskedShares(double gated, double others) {

    /** Every cell. */
    public static final AskedShares ALL = new AskedShares(1, 1);

    /**
     * Some cells of a branch, and what is known before they are asked.
     *
     * @param share of all its cells, 0–1
     * @param open how probable they are needed for the branch itself, 0–1
     * @param passed how probable the branch has passed
     */
    record Step(double share, double open, double passed, double failed) {}

    /**
     * The shares.
     *
     * @param branches branches that the gate looks at, at least 1, independent and as good as each other
     */
    public static AskedShares of(GatePolicy policy, int branches, StopRule stop, PlannedSuite suite) {
        return switch (stop) {
            case NONE -> ALL;
            case SETTLED ->
                of(
                        SettledSteps.of(
                                suite,
                                new Threshold(policy.passThreshold()),
                                new Threshold(policy.effectiveSuiteThreshold())),
                        branches);
            case SURE -> of(sure(policy, branches, suite), branches);
        };
    }

    /** A branch is asked until it is decided itself, or another fails, or all that are gated pass. */
    private static AskedShares of(Iterable<Step> steps, int branches) {
        double gated = 0;
        double others = 0;
        for (Step step : steps) {
            double noneFailed = Math.pow(1 - step.failed(), branches);
            gated += step.share() * step.open() * Math.pow(1 - step.failed(), branches - 1);
            others += step.share() * step.open() * Math.max(0, noneFailed - Math.pow(step.passed(), branches));
        }
        return new AskedShares(Math.clamp(gated, 0, 1), Math.clamp(others, 0, 1));
    }

    private static Iterable<Step> sure(GatePolicy policy, int branches, PlannedSuite suite) {
        RateRule rule = Objects.requireNonNull(policy.rule(), "`stop: sure` looks at the trial rate");
        return new GateKind.SureRate(rule, branches, true).looked(suite).steps();
    }
}
