package dev.assay.domain.limit.outage;

/**
 * A real request that asks whether a pool is there again.
 *
 * @param workerId who sends it
 * @param isOnlyWorker whether no other live worker has a cell for the pool
 * @param cell whose request it is
 * @param isOnlyCell whether no other cell waits for the pool
 */
public record Probe(String workerId, boolean isOnlyWorker, String cell, boolean isOnlyCell) {}
