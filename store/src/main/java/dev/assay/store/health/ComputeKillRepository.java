package dev.assay.store.health;

import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;

/** Counts what compute processes were killed over. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface ComputeKillRepository extends QueryRepository {

    /**
     * Counts one kill. A campaign has a thousand rows at most: what models write is different each time.
     *
     * @param campaignId where there is no such campaign, nothing is counted
     * @param definition SHA-256 of the definition, in hexadecimal
     */
    @Query("""
        INSERT INTO compute_kill AS k (campaign_id, definition, what, kills)
        SELECT c.campaign_id, CASE WHEN kept.one THEN :definition ELSE '' END, CASE WHEN kept.one THEN :what ELSE 'others' END, 1
        FROM campaign c CROSS JOIN LATERAL (
            SELECT (SELECT count(*) FROM compute_kill o WHERE o.campaign_id = c.campaign_id) < 1000
                OR EXISTS (SELECT 1 FROM compute_kill o WHERE o.campaign_id = c.campaign_id AND o.definition = :definition)
                AS one) kept
        WHERE c.campaign_id = :campaignId
        ON CONFLICT (campaign_id, definition) DO UPDATE SET kills = k.kills + 1\
        """)
    void count(String campaignId, String definition, String what);
}
