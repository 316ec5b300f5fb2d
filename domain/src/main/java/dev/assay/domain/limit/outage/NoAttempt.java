package dev.assay.domain.limit.outage;

/** The reason why a call that failed was no attempt of its cell. */
public enum NoAttempt {
    /** A limit refused it. */
    RATE(20),
    /** Its key was refused: once for each key, of which a provider has at most 50. */
    KEY(50),
    /** The provider was away. */
    OUTAGE(50);

    private final int most;

    NoAttempt(int most) {
        this.most = most;
    }

    /** So many calls of a cell are none: it must end at last. */
    public int most() {
        return most;
    }

    /** Whether one more is no attempt, after {@code earlier} of the same cell. */
    public boolean excuses(int earlier) {
        return earlier < most;
    }
}
