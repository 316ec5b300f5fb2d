package dev.assay.store.removal;

import dev.assay.store.sql.Sql;
import dev.assay.store.suite.ContentLock;

/** Removes content that campaigns share, as soon as none of them uses it. */
final class UnusedContent {

    private UnusedContent() {}

    static void removeSuite(Sql sql, String suiteId) {
        ContentLock.remove(sql, suiteId);
        if (!sql.exists("SELECT 1 FROM campaign WHERE suite_id = ? LIMIT 1", suiteId)) {
            sql.update("DELETE FROM suite_case WHERE suite_id = ?", suiteId);
            sql.update("DELETE FROM suite WHERE suite_id = ?", suiteId);
        }
    }

    static void removeCassette(Sql sql, String cassetteId) {
        ContentLock.remove(sql, cassetteId);
        if (!sql.exists("SELECT 1 FROM campaign WHERE position(? IN definition::text) > 0 LIMIT 1", cassetteId)) {
            sql.update("DELETE FROM cassette_entry WHERE cassette_id = ?", cassetteId);
        }
    }
}
