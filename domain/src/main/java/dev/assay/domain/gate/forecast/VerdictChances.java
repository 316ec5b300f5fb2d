package dev.assay.domain.gate.forecast;

/**
 * The chances of the verdicts on one branch, in one run and in two runs of the same cases. What is left is INCONCLUSIVE.
 *
 * @param pass that a run passes, 0–1
 * @param fail that it fails, 0–1
 * @param passThenFail that the first passes and the second fails
 */
public record VerdictChances(double pass, double fail, double bothPass, double bothFail, double passThenFail) {

    /** A gate that only passes or fails. */
    static VerdictChances ofTwo(double pass, double bothPass) {
        return new VerdictChances(pass, 1 - pass, bothPass, 1 - 2 * pass + bothPass, pass - bothPass);
    }

    /**
     * Two runs are independent once the cases are known: the mean over suites of cases that could be drawn.
     *
     * @param weights how probable each suite is, together 1
     * @param passes how probable a run passes with each
     */
    static VerdictChances ofSuites(double[] weights, double[] passes, double[] fails) {
        double pass = 0;
        double fail = 0;
        double bothPass = 0;
        double bothFail = 0;
        double passThenFail = 0;
        for (int i = 0; i < weights.length; i++) {
            pass += weights[i] * passes[i];
            fail += weights[i] * fails[i];
            bothPass += weights[i] * passes[i] * passes[i];
            bothFail += weights[i] * fails[i] * fails[i];
            passThenFail += weights[i] * passes[i] * fails[i];
        }
        return new VerdictChances(pass, fail, bothPass, bothFail, passThenFail);
    }

    /** Both must pass, and either can fail. They go together: the same trials decide both, so the harder one decides. */
    VerdictChances and(VerdictChances other) {
        return new VerdictChances(
                Math.min(pass, other.pass),
                Math.max(fail, other.fail),
                Math.min(bothPass, other.bothPass),
                Math.max(bothFail, other.bothFail),
                Math.max(passThenFail, other.passThenFail));
    }

    /** The probability that {@code branches} that are independent and as good as each other all pass, 0–1. */
    public double passes(int branches) {
        return Math.clamp(Math.pow(pass, branches), 0, 1);
    }

    /** The probability that two runs of the same cases on {@code branches} such branches get one verdict, 0–1. */
    public double sameTwice(int branches) {
        double bothPassAll = Math.pow(bothPass, branches);
        double neverFail = Math.pow(1 - 2 * fail + bothFail, branches);
        double failTwice = 1 - 2 * Math.pow(1 - fail, branches) + neverFail;
        double neither = neverFail - 2 * Math.pow(pass - passThenFail, branches) + bothPassAll;
        return Math.clamp(bothPassAll + failTwice + neither, 0, 1);
    }
}
