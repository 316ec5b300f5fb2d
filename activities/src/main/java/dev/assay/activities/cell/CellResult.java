package dev.assay.activities.cell;

import dev.assay.domain.limit.ModelPool;
import java.time.Duration;

/** The result of a claimed cell. */
public sealed interface CellResult {

    /**
     * The cell has an outcome.
     *
     * @param seconds from its permit to its answer
     */
    record Closed(double seconds) implements CellResult {}

    /** The attempt failed; the cell is retried after the delay. */
    record Retry(Duration delay) implements CellResult {}

    /** This worker has no permit for it; it is to be tried again later, here or elsewhere. */
    record NoPermit() implements CellResult {}

    /** Its provider is down; it is to be tried again when the provider is back. */
    record Held(ModelPool pool) implements CellResult {}

    /**
     * The cell was stopped before it had an outcome, and stays open.
     *
     * @param byShutdown whether its worker ends in good order, so that another one goes on with it
     */
    record Stopped(boolean byShutdown) implements CellResult {}
}
