package dev.assay.domain.statistics.forecast;

/** The chances of the verdicts on one branch, run again. What is left is INCONCLUSIVE. */
public record RerunChances(Chance pass, Chance fail) {

    /** A branch of which nothing is asked. */
    public static final RerunChances PASSES = new RerunChances(Chance.ALWAYS, Chance.NEVER);

    /** Of two rules that the same trials decide: both must pass, and either can fail. */
    public RerunChances and(RerunChances other) {
        return new RerunChances(pass.least(other.pass), fail.most(other.fail));
    }
}
