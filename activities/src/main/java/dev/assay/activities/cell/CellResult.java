package dev.assay.activities.cell;

import java.time.Duration;

/** The result of a claimed cell. */
public sealed interface CellResult {

    /**
     * It has an outcome.
     *
     * @param seconds from its permit to its answer
     */
    record Closed(double seconds) implements CellResult {}

    /** Its attempt failed; it is to be tried again after the delay. */
    record Retry(Duration delay) implements CellResult {}

    /** This worker has no permit for it; it is to be tried again later, here or elsewhere. */
    record NoPermit() implements CellResult {}

    /** It was stopped before it had an outcome, and stays open. */
    record Stopped() implements CellResult {}
}
