package dev.assay.store.journal;

/** The result of a write: whether a request may be sent, or another row is stored. */
public enum WriteResult {
    /** The request is in the ledger: send it. */
    GRANTED,
    /** Only reservations of others stand in the way: try again when one was settled. */
    WAIT,
    /** The spend and this request's own worst case exceed the budget. */
    OVER_BUDGET,
    /** The campaign was cancelled, its epoch moved on, or the worker no longer holds the cell: send nothing. */
    STALE,
    /** All attempts of the cell have begun: send nothing, and close it. */
    EXHAUSTED,
    /** The campaign was cancelled: the cell is still its worker's, and to be closed. */
    CANCELLED,
    /** Another cell of the campaign holds the draw of which the outcome is a copy: the cell is still its worker's, and is asked. */
    TAKEN
}
