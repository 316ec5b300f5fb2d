package dev.assay.store.outage;

import dev.assay.domain.limit.ModelPool;
import dev.assay.store.access.Actor;
import dev.assay.store.access.AuditRepository;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pauses campaigns whose provider has been down for too long, until a user resumes them. */
@Singleton
public class OutagePauses {

    private static final Logger LOG = LoggerFactory.getLogger(OutagePauses.class);

    /** The status of a change that was made, as in HTTP. */
    private static final int DONE = 200;

    /** A campaign of the command that never had an answer has a mistyped address, more likely than an outage. */
    private static final Duration NEVER_ANSWERED = Duration.ofSeconds(60);

    // Nothing of it is in flight: no live worker holds an open cell. An outage that lasts longer than the campaign has
    // been running again counts from then on. A key that was refused before is probed for it first.
    private static final String PAUSE = """
        UPDATE campaign c SET state = 'PAUSED', paused_for = 'PROVIDER_DOWN',
            failure_reason = CASE WHEN o.key <> '' THEN rtrim(o.signal, '.') || coalesce('. Other keys that are refused: ' || (
                    SELECT string_agg(DISTINCT left(k.key, -13), ', ') FROM outage k
                    WHERE k.provider = o.provider AND k.key <> '' AND left(k.key, -13) <> left(o.key, -13)), '')
                    || '. Mend that first.'
                ELSE 'Provider ' || o.provider || ' is down since ' || to_char(o.since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')
                    || ' UTC. ' || o.signal END
        FROM outage o
        WHERE c.campaign_id = ? AND c.state = 'RUNNING'
          AND o.provider = ? AND o.account = ? AND o.models = ? AND o.worker_id = '' AND o.key = ?
          AND now() - greatest((
                  SELECT max(k.since) FROM outage k
                  WHERE k.provider = o.provider AND k.account = o.account AND k.models = o.models AND k.worker_id = ''
                    AND (k.key = '') = (o.key = '')), c.changed_at) >= interval '1 millisecond' * CASE
              WHEN c.created_by = 'command' AND (o.key = '' OR o.refused_at >= c.changed_at) AND NOT EXISTS (
                  SELECT 1 FROM ledger l WHERE l.campaign_id = c.campaign_id AND l.state = 'ANSWERED')
                  THEN CASE WHEN o.key <> '' THEN 0 ELSE least(?::bigint, coalesce(nullif(c.max_outage_ms, 0), ?::bigint)) END
              ELSE coalesce(nullif(c.max_outage_ms, 0), ?::bigint) END
          AND NOT EXISTS (
              SELECT 1 FROM cell x JOIN worker w ON w.worker_id = x.claim_worker AND worker_is_live(w.lease_until)
              WHERE x.campaign_id = c.campaign_id AND x.closed_epoch IS NULL)
        RETURNING c.failure_reason\
        """;

    private final Sql sql;
    private final AuditRepository audit;

    OutagePauses(Sql sql, AuditRepository audit) {
        this.sql = sql;
        this.audit = audit;
    }

    /**
     * Pauses a campaign that waits for the end of an outage alone and has for too long.
     *
     * @param longest the longest outage that it waits for, unless a user has changed that since
     * @return whether it was paused now
     */
    public boolean pause(String campaignId, StoredOutage outage, Duration longest) {
        // One transaction: a pause of which nobody knows whose it is must not outlive a killed worker.
        String reason = sql.write(() -> {
            String paused = paused(campaignId, outage, longest);
            if (paused != null) {
                long row = audit.begin(
                        new Actor("assay", "worker"),
                        "pause campaign " + campaignId + " (PROVIDER_DOWN): " + paused,
                        campaignId);
                audit.end(row, DONE, null);
            }
            return paused;
        });
        if (reason == null) {
            return false;
        }
        LOG.warn("Campaign {} is paused (PROVIDER_DOWN): {}", campaignId, reason);
        return true;
    }

    private @Nullable String paused(String campaignId, StoredOutage outage, Duration longest) {
        ModelPool pool = outage.pool();
        return sql.first(
                        PAUSE,
                        row -> row.getString(1),
                        campaignId,
                        pool.provider(),
                        pool.account(),
                        pool.models(),
                        outage.ofKey() == null ? "" : outage.ofKey().id(),
                        NEVER_ANSWERED.toMillis(),
                        longest.toMillis(),
                        longest.toMillis())
                .orElse(null);
    }
}
