package dev.assay.store.worker;

/** The state of a worker's lease in PostgreSQL. */
public enum LeaseState {
    /** The worker's claims and permits were its own all the time. */
    LIVE,
    /** Others may have taken what the worker held. */
    LAPSED,
    /** The worker is not registered: PostgreSQL was restored from an older state, or the lease lapsed an hour ago. */
    UNKNOWN
}
