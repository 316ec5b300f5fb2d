package dev.assay.store.campaign;

import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Map;

/** Tells whether something was recorded of campaigns, without a look at what. */
@Singleton
public class CampaignMarks {

    // Whatever changes a campaign writes its row anew; each result adds a row to the changes of its matrix, until they
    // become chunks.
    private static final String MARKS = """
        SELECT c.campaign_id, c.xmin::text || '.' || coalesce(m.generation, 0) || '.' || coalesce((
            SELECT max(x.number) FROM matrix_change x WHERE x.campaign_id = c.campaign_id), 0) AS mark
        FROM campaign c LEFT JOIN matrix m USING (campaign_id)
        WHERE c.campaign_id = ANY (?) AND c.deleted_at IS NULL\
        """;

    private final Sql sql;

    CampaignMarks(Sql sql) {
        this.sql = sql;
    }

    /** A mark of each campaign, by id. It differs after a change, except that of a transaction that ends late. */
    @ReadOnly
    public Map<String, String> of(Collection<String> campaignIds) {
        return sql.byKey(MARKS, row -> row.getString("campaign_id"), row -> row.getString("mark"), campaignIds);
    }
}
