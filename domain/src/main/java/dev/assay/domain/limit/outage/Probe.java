package dev.assay.domain.limit.outage;

/**
 * A real request that asks whether a pool is there again.
 *
 * @param isOnlyWorker whether no other live worker has a cell for the pool
 * @param isOnlyCell whether no other cell waits for the pool
 */
public record Probe(String workerId, boolean isOnlyWorker, String cell, boolean isOnlyCell) {}
