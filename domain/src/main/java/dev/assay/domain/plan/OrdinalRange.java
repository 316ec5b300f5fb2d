package dev.assay.domain.plan;

/**
 * A run of trial numbers (see {@link TrialGrid}).
 *
 * @param from first number
 * @param to one past the last number, larger than {@code from}
 */
public record OrdinalRange(int from, int to) {

    public OrdinalRange {
        if (from < 0 || to <= from) {
            throw new IllegalArgumentException("Range " + from + " to " + to + " holds no trial");
        }
    }

    /** The number of its trials. */
    public int size() {
        return to - from;
    }
}
