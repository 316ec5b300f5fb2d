package dev.assay.domain.campaign;

/** What becomes of an evaluation that is cancelled. Users write the constant in lower case as {@code onCancel}. */
public enum CancelPolicy {
    /** The strategy chooses among the branches that completed before; no judge is asked any more. */
    SELECT,
    /** Nothing is selected. */
    DISCARD
}
