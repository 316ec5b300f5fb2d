package dev.assay.domain.statistics.forecast;

/**
 * A probability that is itself not known for sure.
 *
 * @param value its mean, 0–1
 * @param low it is below this in 5 %
 * @param high it is above this in 5 %
 */
public record Chance(double value, double low, double high) {

    /** What is certain. */
    public static final Chance ALWAYS = new Chance(1, 1, 1);

    /** What cannot be. */
    public static final Chance NEVER = new Chance(0, 0, 0);

    /** That both are so, of two that are independent. */
    public Chance and(Chance other) {
        return new Chance(value * other.value, low * other.low, high * other.high);
    }

    /** That it is not so. */
    public Chance not() {
        return new Chance(1 - value, 1 - high, 1 - low);
    }

    /** That both are so, of two that go together: the less probable decides. */
    public Chance least(Chance other) {
        return new Chance(Math.min(value, other.value), Math.min(low, other.low), Math.min(high, other.high));
    }

    /** That one of two is so, which go together. */
    public Chance most(Chance other) {
        return not().least(other.not()).not();
    }
}
