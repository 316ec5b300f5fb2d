package dev.assay.domain.health;

/**
 * PostgreSQL answers, and refuses to write until somebody mends that.
 *
 * @param readOnly whether the database is read only; else its disk is full, or the like
 */
public record StoreRefusal(boolean readOnly, String words) {}
