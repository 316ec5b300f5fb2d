package dev.assay.domain.statistics.forecast;

/**
 * Trials of a case whose pass rate was drawn from Beta(alpha, beta). Everything is sums of logarithms of alpha, alpha + 1 …, which
 * neither overflow nor cancel, and which one table serves for all cases.
 */
final class BetaBinomial {

    private final double alpha;
    private final double beta;
    private final double[] passes;
    private final double[] failures;
    private final double[] trials;

    /** @param most trials that will ever be asked about, observed and new ones together */
    BetaBinomial(double alpha, double beta, int most) {
        this.alpha = alpha;
        this.beta = beta;
        this.passes = risingLogs(alpha, most);
        this.failures = risingLogs(beta, most);
        this.trials = risingLogs(alpha + beta, most);
    }

    /** The logarithm of start (start + 1) … (start + i − 1) at each index i. */
    static double[] risingLogs(double start, int most) {
        double[] logs = new double[most + 1];
        for (int i = 0; i < most; i++) {
            logs[i + 1] = logs[i] + Math.log(start + i);
        }
        return logs;
    }

    /** The mean of the pass rate of a case that had {@code passed} and {@code failed}. */
    double rate(int passed, int failed) {
        return (alpha + passed) / (alpha + beta + passed + failed);
    }

    /** The variance of that rate. */
    double variance(int passed, int failed) {
        double rate = rate(passed, failed);
        return rate * (1 - rate) / (alpha + beta + passed + failed + 1);
    }

    /** The logarithm of the probability of {@code passed} passes and {@code failed} failures in one given order. */
    double logLikelihood(int passed, int failed) {
        return passes[passed] + failures[failed] - trials[passed + failed];
    }

    /**
     * The probability that at least {@code needed} of {@code count} new trials pass, of a case that had {@code passed} and
     * {@code failed}.
     *
     * @param logFactorials {@link #risingLogs} of 1, as far as {@code count}
     */
    double atLeast(int needed, int count, int passed, int failed, double[] logFactorials) {
        double before = logLikelihood(passed, failed);
        double sum = 0;
        for (int y = needed; y <= count; y++) {
            double ways = logFactorials[count] - logFactorials[y] - logFactorials[count - y];
            sum += Math.exp(ways + logLikelihood(passed + y, failed + count - y) - before);
        }
        return Math.clamp(sum, 0, 1);
    }
}
