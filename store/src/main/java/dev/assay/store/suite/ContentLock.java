package dev.assay.store.suite;

import dev.assay.store.sql.Sql;

/**
 * Keeps shared content from being removed while another campaign begins to use it. Held until the transaction ends; a campaign that
 * begins to use it waits only for a removal.
 */
public final class ContentLock {

    private ContentLock() {}

    /** Begins to use the content with this hash. */
    public static void use(Sql sql, String hash) {
        sql.exists("SELECT pg_advisory_xact_lock_shared(hashtextextended(?, 0))", hash);
    }

    /** Removes the content with this hash, or finds that it is used. */
    public static void remove(Sql sql, String hash) {
        sql.exists("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", hash);
    }
}
