package dev.assay.domain.limit;

/**
 * Calls of a group of models, with all accounts.
 *
 * @param inFlight those that were sent and not answered yet
 * @param waiting cells that wait for a permit of the group
 */
public record PoolCalls(String provider, String models, long inFlight, long waiting) {

    /** Whether there is nothing to say. */
    public boolean isNone() {
        return inFlight == 0 && waiting == 0;
    }
}
