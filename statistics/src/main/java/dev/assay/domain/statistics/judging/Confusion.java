package dev.assay.domain.statistics.judging;

import org.jspecify.annotations.Nullable;

/**
 * The counts of trials by what two say of them: people and a judge, or two evaluators of the same answers.
 *
 * @param bothPass both say that it passes
 * @param onlyFirst the second fails what the first passes
 * @param onlySecond the second passes what the first fails
 * @param bothFail both say that it fails
 */
public record Confusion(int bothPass, int onlyFirst, int onlySecond, int bothFail) {

    static final Confusion NONE = new Confusion(0, 0, 0, 0);

    /** The counts of one trial. */
    static Confusion of(boolean first, boolean second) {
        return new Confusion(
                first && second ? 1 : 0, first && !second ? 1 : 0, !first && second ? 1 : 0, first || second ? 0 : 1);
    }

    Confusion plus(Confusion other) {
        return new Confusion(
                bothPass + other.bothPass,
                onlyFirst + other.onlyFirst,
                onlySecond + other.onlySecond,
                bothFail + other.bothFail);
    }

    /** Cohen's kappa (1960): agreement beyond chance; null without trials, or when chance alone gives full agreement. */
    public @Nullable Double kappa() {
        // Whole numbers up to the division: a chance of 1 is seen exactly.
        long trials = trials();
        long chance = (long) firstPasses() * secondPasses() + (trials - firstPasses()) * (trials - secondPasses());
        long all = trials * trials;
        return chance == all ? null : (Double) ((double) (trials * agreed() - chance) / (all - chance));
    }

    /** The second's pass rate minus the first's, −1 … 1; null without trials. */
    public @Nullable Double bias() {
        return trials() == 0 ? null : (Double) ((double) (onlySecond - onlyFirst) / trials());
    }

    /** The number of trials of which both say something. */
    public int trials() {
        return bothPass + onlyFirst + onlySecond + bothFail;
    }

    int agreed() {
        return bothPass + bothFail;
    }

    int firstPasses() {
        return bothPass + onlyFirst;
    }

    int firstFails() {
        return onlySecond + bothFail;
    }

    private int secondPasses() {
        return bothPass + onlySecond;
    }
}
