package dev.assay.activities.cell;

/** The reason for which a cell was stopped before it had an outcome. */
public enum StopReason {
    /** The campaign was cancelled: the cell gets a CANCELLED outcome. */
    CANCELLED,
    /** Its branch was cancelled while the others go on: the cell gets a CANCELLED outcome and is done. */
    BRANCH_CANCELLED,
    /** The campaign's epoch moved on; the cell belongs to another run now. */
    STALE,
    /** The campaign is paused and the cell has not sent a call yet. */
    PAUSED,
    /** The worker could not renew its lease; others may claim its cells soon. */
    LEASE_LOST,
    /** The provider is down, and the cell waits until it is back. */
    PROVIDER_DOWN,
    /** Nothing needs its answer any more: the cell is closed as that. */
    NOT_NEEDED,
    /** The worker has had no permit for the cell for too long; another worker may have one. */
    NO_PERMIT,
    /** The worker or its activity ends. */
    SHUTDOWN
}
