package dev.assay.store.cell;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps campaigns from being cancelled until a transaction ends. Whoever cancels a campaign has its row alone, and closes the loops
 * that nobody runs, once: a cell is freed before that, or not at all.
 */
public final class CancelGuard {

    private static final String KEEP_STATES =
            "SELECT campaign_id, state FROM campaign WHERE campaign_id = ANY (?) ORDER BY campaign_id FOR SHARE";

    private CancelGuard() {}

    /** Guards the campaigns; answers which of them are cancelled already. To be the first lock that a transaction takes. */
    public static Set<String> guard(Connection connection, Collection<String> campaignIds) throws SQLException {
        Set<String> cancelled = new TreeSet<>();
        try (PreparedStatement keep = connection.prepareStatement(KEEP_STATES)) {
            keep.setArray(1, connection.createArrayOf("text", campaignIds.toArray()));
            try (ResultSet rows = keep.executeQuery()) {
                while (rows.next()) {
                    if (rows.getString(2).equals("CANCELLED")) {
                        cancelled.add(rows.getString(1));
                    }
                }
            }
        }
        return cancelled;
    }
}
