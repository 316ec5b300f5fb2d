package dev.assay.domain.limit;

/**
 * The number of calls that a pool has in flight, found by trying: it grows while answers come, and a refusal cuts it.
 *
 * @param cuts how often it was cut. A request knows the number of its time, so that a burst of refusals cuts once
 * @param clean answers since it last changed
 */
public record AdaptiveConcurrency(int min, int max, int now, Phase phase, int cuts, int clean) {

    /** The way in which it grows. */
    public enum Phase {
        /** It doubles, until the first cut or the maximum. */
        SLOW_START,
        /** It grows by a twentieth. */
        STEADY
    }

    /** Answers after which it grows where the number is small. */
    private static final int FEWEST_CLEAN = 4;

    public AdaptiveConcurrency {
        if (min < 1 || now < min || max < now) {
            throw new IllegalArgumentException("1 ≤ min ≤ now ≤ max does not hold: " + min + ", " + now + ", " + max);
        }
    }

    /** The number at its start. */
    public static AdaptiveConcurrency begun(int min, int start, int max) {
        return new AdaptiveConcurrency(min, max, start, start < max ? Phase.SLOW_START : Phase.STEADY, 0, 0);
    }

    /** The same within other bounds. */
    public AdaptiveConcurrency within(int newMin, int newMax) {
        return new AdaptiveConcurrency(newMin, newMax, Math.clamp(now, newMin, newMax), phase, cuts, clean);
    }

    /**
     * After a refusal that speaks of no rate.
     *
     * @param cutsThen {@link #cuts} as its request was sent
     */
    public AdaptiveConcurrency refused(int cutsThen, int inFlight) {
        if (cutsThen != cuts) {
            return this;
        }
        int cut = Math.min(now, Math.max(1, inFlight)) * 7 / 10;
        return new AdaptiveConcurrency(min, max, Math.max(min, cut), Phase.STEADY, cuts + 1, 0);
    }

    /**
     * After a clean answer, that of a repeated request left out. It counts where most of the number was in use as it was sent: what
     * is not used is no sign that more would go.
     *
     * @param cutsThen {@link #cuts} as its request was sent
     */
    public AdaptiveConcurrency answered(int cutsThen, int inFlight) {
        if (cutsThen != cuts || inFlight * 5L < now * 4L) {
            return this;
        }
        return clean + 1 < Math.max(FEWEST_CLEAN, now)
                ? new AdaptiveConcurrency(min, max, now, phase, cuts, clean + 1)
                : grown();
    }

    private AdaptiveConcurrency grown() {
        int more = phase == Phase.SLOW_START ? now : Math.max(1, now / 20);
        int next = (int) Math.min(max, (long) now + more);
        return new AdaptiveConcurrency(min, max, next, next == max ? Phase.STEADY : phase, cuts, 0);
    }
}
