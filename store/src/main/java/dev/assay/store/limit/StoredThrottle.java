package dev.assay.store.limit;

import java.time.Duration;

/**
 * What answers have made of a pool.
 *
 * @param calls that may be in flight, over all workers
 * @param most so many at most
 * @param cuts how often that number was cut
 * @param blocks how often the pool was blocked
 * @param inRow how many of these came without an answer between
 * @param blockedFor how long nothing is sent from now on; zero: it is not blocked
 */
public record StoredThrottle(int calls, int most, int cuts, int blocks, int inRow, Duration blockedFor) {}
