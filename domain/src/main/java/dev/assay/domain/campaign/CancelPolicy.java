package dev.assay.domain.campaign;

/** The result of a cancelled evaluation. Users write the constant in lower case as {@code onCancel}. */
public enum CancelPolicy {
    /** The strategy chooses among the branches that completed before; it asks no more judges. */
    SELECT,
    /** Nothing is selected. */
    DISCARD
}
