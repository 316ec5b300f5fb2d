package dev.assay.domain.provider;

/**
 * The calls of a pool that may be in flight: a number that is found by trying, or a fixed one.
 *
 * @param min fewest, at least 1
 */
public record ConcurrencyRange(int min, int start, int max) {

    public ConcurrencyRange {
        if (min < 1 || start < min || max < start) {
            throw new IllegalArgumentException(
                    "1 ≤ min ≤ start ≤ max does not hold: " + min + ", " + start + ", " + max);
        }
    }

    /** A number that never changes. */
    public static ConcurrencyRange fixed(int number) {
        return new ConcurrencyRange(number, number, number);
    }

    /** Whether it never changes. */
    public boolean isFixed() {
        return min == max;
    }

    /** The range where none is configured: all calls that the provider may have, fewer after a refusal. */
    public static ConcurrencyRange upTo(int max) {
        return new ConcurrencyRange(1, max, max);
    }
}
