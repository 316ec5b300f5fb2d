package dev.assay.store.limit;

import dev.assay.domain.error.AssayException;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What changed of limits, by whom and why. */
@Singleton
public class LimitChanges {

    private static final String PAGE = """
        SELECT change_id, at, provider, account, models, name, old_value, new_value, why, who, reason FROM limit_change
        WHERE provider = ? AND change_id < ?::bigint ORDER BY change_id DESC LIMIT ?\
        """;

    // What is configured for a provider of which no live worker says anything is not known to have changed.
    private static final String NOTICE = "WITH limits AS (" + LimitsInForce.CONFIGURED + """
        ),
        calls AS (
            SELECT p ->> 'name' AS provider, l ->> 'models' AS models, min((l ->> 'concurrent')::integer) AS most,
                   min(coalesce(l ->> 'concurrentMin', l ->> 'concurrent')::integer) AS least
            FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p CROSS JOIN jsonb_array_elements(p -> 'limits') AS l
            WHERE worker_is_live(w.lease_until) AND l ->> 'concurrent' IS NOT NULL GROUP BY 1, 2),
        now_configured AS (
            SELECT provider, account, models, name, units::text AS value FROM limits
            UNION ALL
            SELECT provider, 'default', models, 'concurrent', CASE WHEN least = most THEN most::text ELSE least || '-' || most END
            FROM calls),
        before AS (
            SELECT DISTINCT ON (provider, account, models, name) provider, account, models, name, new_value FROM limit_change
            WHERE why = 'configured' ORDER BY provider, account, models, name, change_id DESC)
        INSERT INTO limit_change (provider, account, models, name, old_value, new_value, why, who)
        SELECT provider, account, models, name, b.new_value, n.value, 'configured', ?
        FROM now_configured n FULL JOIN before b USING (provider, account, models, name)
        WHERE n.value IS DISTINCT FROM b.new_value AND (n.value IS NOT NULL OR provider IN (
            SELECT p ->> 'name' FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p
            WHERE worker_is_live(w.lease_until)))
        ORDER BY provider, account, models, name\
        """;

    // Of pools that no live worker is configured for, and of which nothing was used for long.
    private static final String FORGET_MANUAL = "WITH now_configured AS (" + LimitsInForce.CONFIGURED + """
        )
        DELETE FROM manual_limit m WHERE changed_at < now() - interval '30 days' AND NOT EXISTS (
            SELECT FROM now_configured n WHERE (n.provider, n.account, n.models) = (m.provider, m.account, m.models))
        AND NOT EXISTS (
            SELECT FROM limit_spending s WHERE (s.provider, s.account, s.models) = (m.provider, m.account, m.models)
            AND s.reckoned_at > now() - interval '30 days')\
        """;

    private static final String FORGET_CALLS = """
        DELETE FROM manual_calls m WHERE changed_at < now() - interval '30 days' AND NOT EXISTS (
            SELECT FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p
            WHERE worker_is_live(w.lease_until) AND p ->> 'name' = m.provider)
        AND NOT EXISTS (
            SELECT FROM pool_throttle t WHERE t.provider = m.provider AND t.models = m.models
            AND t.changed_at > now() - interval '30 days')\
        """;

    private static final String FORGET_LEARNED = "WITH now_configured AS (" + LimitsInForce.CONFIGURED + """
        )
        DELETE FROM limit_learned l WHERE learned_at < now() - interval '30 days' AND NOT EXISTS (
            SELECT FROM now_configured n WHERE (n.provider, n.account, n.models) = (l.provider, l.account, l.models))
        AND NOT EXISTS (
            SELECT FROM limit_spending s WHERE (s.provider, s.account, s.models) = (l.provider, l.account, l.models)
            AND s.reckoned_at > now() - interval '30 days')\
        """;

    private static final String FORGET_SPENDING = "WITH now_configured AS (" + LimitsInForce.CONFIGURED + """
        )
        DELETE FROM limit_spending s WHERE reckoned_at < now() - interval '30 days' AND NOT EXISTS (
            SELECT FROM now_configured n WHERE (n.provider, n.account, n.models) = (s.provider, s.account, s.models))
        AND NOT EXISTS (
            SELECT FROM manual_limit m WHERE (m.provider, m.account, m.models) = (s.provider, s.account, s.models))\
        """;

    private final Sql sql;

    LimitChanges(Sql sql) {
        this.sql = sql;
    }

    /**
     * A page of what changed of a provider's limits, the newest first.
     *
     * @param pageToken where to go on; null: at the newest
     * @param pageSize at most so many, at least 1
     * @throws AssayException INVALID_INPUT when the token is none
     */
    @ReadOnly
    public Page<LimitChangeRow> page(String provider, @Nullable String pageToken, int pageSize) {
        long before = pageToken == null
                ? Long.MAX_VALUE
                : PageToken.parse(pageToken, 1).number(0);
        List<LimitChangeRow> found = sql.list(PAGE, LimitChanges::read, provider, before, pageSize + 1);
        return Page.first(pageSize, found, last -> PageToken.of(last.id()));
    }

    private static LimitChangeRow read(ResultSet row) throws SQLException {
        return new LimitChangeRow(
                row.getLong("change_id"),
                Columns.instant(row, "at"),
                row.getString("provider"),
                row.getString("account"),
                row.getString("models"),
                row.getString("name"),
                row.getString("old_value"),
                row.getString("new_value"),
                row.getString("why"),
                row.getString("who"),
                row.getString("reason"));
    }

    /**
     * Records what live workers are configured with otherwise than before. Idempotent.
     *
     * @param who the worker that has just registered, or who noticed it
     */
    @Transactional
    public void notice(String who) {
        sql.exists(ManualLimits.LOCK);
        sql.update(NOTICE, who);
    }

    /**
     * Records what a worker that ended without a word took with it. Removes pools that no worker reports and of which nothing was used
     * for 30 days. What people set for them goes too, and what answers said.
     */
    @Transactional
    public void lookAfter(String who) {
        notice(who);
        sql.update(FORGET_MANUAL);
        sql.update(FORGET_CALLS);
        sql.update(FORGET_LEARNED);
        sql.update(FORGET_SPENDING);
    }
}
