package dev.assay.domain.gate.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The forecast of a gate that looks at the number of trials that passed, once or after each of some rounds. Given the mean rate of
 * the suite, rounds are independent: the numbers that no look has decided are followed from look to look.
 *
 * @param steps the rounds before each look, and how far the branch is decided before them
 */
record RateLooks(VerdictChances chances, List<AskedShares.Step> steps) {

    RateLooks {
        steps = List.copyOf(steps);
    }

    private static final double NEGLIGIBLE = 1e-13;
    private static final double FINE = 32;
    private static final double COARSE = 2;

    /**
     * The bounds of one look: at least {@code pass} trials that passed are a PASS, {@code fail} and fewer a FAIL.
     *
     * @param rounds the complete rounds that it looks at, more than those of the look before
     */
    record Look(int rounds, long pass, long fail) {}

    /** The forecast; {@code looks} has one at least. */
    static RateLooks of(PlannedSuite suite, Look... looks) {
        SuiteRates rates = SuiteRates.of(suite);
        int points = rates.count();
        double[] passes = new double[points];
        double[] fails = new double[points];
        double[] passedBy = new double[looks.length];
        double[] failedBy = new double[looks.length];
        for (int i = 0; i < points; i++) {
            double weight = rates.weights()[i];
            if (weight > NEGLIGIBLE) {
                Followed followed = new Followed(suite.cases(), rates.mean(i), rates.spread(), looks);
                passes[i] = followed.passes();
                fails[i] = followed.fails();
                for (int look = 0; look < looks.length; look++) {
                    passedBy[look] += weight * followed.passed[look];
                    failedBy[look] += weight * followed.failed[look];
                }
            }
        }
        return new RateLooks(VerdictChances.ofSuites(rates.weights(), passes, fails), steps(looks, passedBy, failedBy));
    }

    private static List<AskedShares.Step> steps(Look[] looks, double[] passedBy, double[] failedBy) {
        List<AskedShares.Step> steps = new ArrayList<>();
        int all = looks[looks.length - 1].rounds();
        for (int i = 0; i < looks.length; i++) {
            double share = (double) (looks[i].rounds() - (i == 0 ? 0 : looks[i - 1].rounds())) / all;
            double passed = i == 0 ? 0 : passedBy[i - 1];
            double failed = i == 0 ? 0 : failedBy[i - 1];
            steps.add(new AskedShares.Step(share, Math.clamp(1 - passed - failed, 0, 1), passed, failed));
        }
        return steps;
    }

    /** The numbers of passes that are still open, from look to look, of a suite with a known mean. */
    static final class Followed {

        private final double[] passed;
        private final double[] failed;
        private double[] open = {1};
        private int first;

        Followed(int cases, double mean, double spread, Look... looks) {
            this.passed = new double[looks.length];
            this.failed = new double[looks.length];
            int most = looks[looks.length - 1].rounds();
            int largest = looks.length == 1 ? most : Math.max(looks[0].rounds(), looks[1].rounds() - looks[0].rounds());
            double step = PassedTrials.step(cases * largest, mean, spread, looks.length == 1 ? FINE : COARSE);
            Map<Integer, PassedTrials> known = new HashMap<>();
            for (int i = 0; i < looks.length; i++) {
                int rounds = looks[i].rounds() - (i == 0 ? 0 : looks[i - 1].rounds());
                add(known.computeIfAbsent(rounds, added -> PassedTrials.of(cases * added, mean, spread, step)));
                decide(looks[i], step, i);
            }
        }

        /** How probable PASS is decided. */
        double passes() {
            return passed[passed.length - 1];
        }

        /** How probable FAIL is decided. */
        double fails() {
            return failed[failed.length - 1];
        }

        private void add(PassedTrials round) {
            open = sum(open, round.chances());
            first += round.first();
        }

        private void decide(Look look, double step, int place) {
            double pass = place == 0 ? 0 : passed[place - 1];
            double fail = place == 0 ? 0 : failed[place - 1];
            for (int i = 0; i < open.length; i++) {
                double passes = (first + i) * step;
                if (passes >= look.pass() - 0.5) {
                    pass += open[i];
                    open[i] = 0;
                } else if (passes < look.fail() + 0.5) {
                    fail += open[i];
                    open[i] = 0;
                }
            }
            passed[place] = pass;
            failed[place] = fail;
            int from = from(open);
            open = Arrays.copyOfRange(open, from, Math.max(from + 1, until(open)));
            first += from;
        }
    }

    private static double[] sum(double[] one, double[] other) {
        double[] sums = new double[one.length + other.length - 1];
        for (int i = 0; i < one.length; i++) {
            for (int j = 0; one[i] > NEGLIGIBLE && j < other.length; j++) {
                sums[i + j] += one[i] * other[j];
            }
        }
        return sums;
    }

    private static int from(double[] open) {
        int from = 0;
        while (from < open.length - 1 && open[from] <= NEGLIGIBLE) {
            from++;
        }
        return from;
    }

    private static int until(double[] open) {
        int until = open.length;
        while (until > 1 && open[until - 1] <= NEGLIGIBLE) {
            until--;
        }
        return until;
    }
}
