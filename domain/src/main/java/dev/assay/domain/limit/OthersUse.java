package dev.assay.domain.limit;

import java.time.Instant;

/**
 * What an answer says is left of a limit, where less was known to be used: others may use the same key.
 *
 * @param seenAt when the worker was told what was free, by PostgreSQL's clock
 * @param freeBefore units that were free then
 * @param remaining units that the provider has left for the key
 */
public record OthersUse(LimitKind kind, Instant seenAt, long freeBefore, long remaining) {

    /** Units that are missing. */
    public long missing() {
        return freeBefore - remaining;
    }
}
