package dev.assay.domain.limit;

import java.time.Duration;

/**
 * The wish of another worker, which waits.
 *
 * @param head its first request
 * @param age since it said so, at least 0
 */
public record UnitWish(WorkerTurn turn, Units head, Duration age) {

    /** A worker says four times a second what it waits for. One that has not for so long is gone or has none. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    boolean counts() {
        return age.compareTo(LONGEST) <= 0;
    }
}
