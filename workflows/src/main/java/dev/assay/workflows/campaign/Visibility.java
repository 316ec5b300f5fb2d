package dev.assay.workflows.campaign;

/** The amount that a campaign's workflow shows in Temporal. Decided at its start, and carried over by continue-as-new. */
public enum Visibility {
    /** The workflow's own state: for runs that began before workflows observed their campaigns. */
    PLAIN,
    /** Current details with the counters of PostgreSQL; no search attributes, because the namespace does not have them. */
    OBSERVED,
    /** The same, and search attributes. */
    SEARCHABLE
}
