package dev.assay.store.steering;

import dev.assay.store.sql.QueryRepository;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says when campaigns were paused, and by whom. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class PauseQueries implements QueryRepository {

    /**
     * The pause of a campaign.
     *
     * @param who the author of the request, as the audit has it; null: it was no request
     */
    @Introspected
    public record LastPause(Instant at, @Nullable String who) {}

    /** The pause of a campaign that is paused; empty: it is not. The audit is written before the change that it tells of. */
    @ReadOnly
    @Query("""
        SELECT c.changed_at AS at, (
            SELECT a.actor FROM audit a
            WHERE a.object = c.campaign_id AND NOT a.refused AND a.action LIKE 'POST %/pause'
              AND a.at BETWEEN c.changed_at - interval '1 minute' AND c.changed_at
            ORDER BY a.at DESC, a.audit_id DESC LIMIT 1) AS who
        FROM campaign c WHERE c.campaign_id = :campaignId AND c.state = 'PAUSED'
        """)
    public abstract Optional<LastPause> of(String campaignId);
}
