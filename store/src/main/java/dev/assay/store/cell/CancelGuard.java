package dev.assay.store.cell;

import dev.assay.store.sql.Sql;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps campaigns from being cancelled until a transaction ends. A cancel locks the campaign's row, and once closes the loops that
 * no worker runs. So a cell is freed before that, or not at all.
 */
public final class CancelGuard {

    private static final String KEEP_STATES =
            "SELECT campaign_id, state = 'CANCELLED' FROM campaign WHERE campaign_id = ANY (?) ORDER BY 1 FOR SHARE";

    private CancelGuard() {}

    /** Guards the campaigns; answers which of them are cancelled already. To be the first lock that a transaction takes. */
    public static Set<String> guard(Sql sql, Collection<String> campaignIds) {
        return sql.list(KEEP_STATES, row -> Map.entry(row.getString(1), row.getBoolean(2)), campaignIds).stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
