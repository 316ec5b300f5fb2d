package dev.assay.store.reuse;

import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.draw.RequestName;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.usage.Measured;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks for stored answers to the requests of a campaign. */
@Singleton
public class ReuseRepository {

    /** Candidates among which the latest is chosen: re-runs may have made the draw that counts older than its cell. */
    private static final int CANDIDATES = 20;

    /**
     * An answer of the campaign itself is no candidate, and a cell that was asked before is asked again. Of a cell that was asked again
     * the draw that counts is taken. That is the oldest one with a verdict since all cells of its branch were asked again.
     */
    private static final String FIND = """
        WITH asked AS (
            SELECT ?::text AS campaign_id, ?::integer AS ordinal, ?::integer AS branch_index, ?::text AS request_key),
        candidate AS (
            SELECT o.campaign_id, o.ordinal, o.branch_index, c.reruns, c.suite_id, o.source, o.answered_at, o.status,
                   o.origin_campaign, o.origin_case, o.origin_branch, o.origin_trial, o.origin_draw, o.case_index, o.trial
            FROM outcome o JOIN campaign c USING (campaign_id)
            WHERE o.request_key = (SELECT request_key FROM asked) AND o.request_rank = ? AND coalesce(o.origin_trial, o.trial) = ?
              AND o.campaign_id <> (SELECT campaign_id FROM asked) AND c.deleted_at IS NULL AND o.source IN ('LIVE', 'REUSED')
              AND (?::text[] IS NULL OR o.campaign_id = ANY (?::text[]))
            ORDER BY o.answered_at DESC, (o.source <> 'LIVE'), o.campaign_id LIMIT %d),
        counting AS (
            SELECT n.campaign_id, n.ordinal, n.branch_index, n.source, first.rerun,
                   CASE WHEN first.rerun IS NULL THEN n.status ELSE first.status END AS status,
                   CASE WHEN first.rerun IS NULL THEN n.answered_at ELSE first.answered_at END AS answered_at,
                   first.rerun IS NULL OR first.request_key = (SELECT request_key FROM asked) AS is_asked,
                   coalesce(n.origin_campaign, n.campaign_id) AS origin_campaign,
                   coalesce(n.origin_case, k.case_id) AS origin_case,
                   coalesce(n.origin_branch, b.branch_id) AS origin_branch,
                   coalesce(n.origin_trial, n.trial) AS origin_trial,
                   coalesce(n.origin_draw, first.draw,
                       CASE WHEN n.reruns = 0 THEN 0 ELSE draw_number(n.campaign_id, n.ordinal, n.branch_index) END) AS origin_draw
            FROM candidate n
            JOIN suite_case k ON k.suite_id = n.suite_id AND k.case_index = n.case_index
            JOIN campaign_branch b ON b.campaign_id = n.campaign_id AND b.branch_index = n.branch_index
            LEFT JOIN LATERAL (
                SELECT r.rerun, r.result ->> 'status' AS status, (r.result ->> 'answered_at')::timestamptz AS answered_at,
                       r.result ->> 'request_key' AS request_key, (
                           SELECT count(*)::integer FROM generate_series(1, r.rerun - 1) AS before (rerun)
                           JOIN replaced_result e ON e.campaign_id = r.campaign_id AND e.rerun = before.rerun
                             AND e.kind = 'outcome' AND e.ordinal = r.ordinal AND e.member = r.member
                             AND NOT jsonb_exists(e.result, 'graded_again')) AS draw
                FROM generate_series(1, n.reruns) AS again (rerun)
                JOIN replaced_result r ON r.campaign_id = n.campaign_id AND r.rerun = again.rerun AND r.kind = 'outcome'
                  AND r.ordinal = n.ordinal AND r.member = n.branch_index
                WHERE r.result ->> 'status' IN ('COMPLETED', 'LIMIT') AND r.result ->> 'passed' IS NOT NULL
                  AND r.rerun > coalesce((SELECT max(w.rerun) FROM whole_rerun w
                                          WHERE w.campaign_id = r.campaign_id AND w.branch_index = r.member), 0)
                ORDER BY r.rerun LIMIT 1) first ON true),
        chosen AS (
            SELECT g.* FROM counting g CROSS JOIN asked a
            WHERE g.is_asked AND g.status = 'COMPLETED' AND (?::timestamptz IS NULL OR g.answered_at >= ?::timestamptz)
              AND NOT EXISTS (
                  SELECT 1 FROM generate_series(1, ?) AS again (rerun)
                  JOIN replaced_result own ON own.campaign_id = a.campaign_id AND own.rerun = again.rerun
                    AND own.kind = 'outcome' AND own.ordinal = a.ordinal AND own.member = a.branch_index)
              AND NOT EXISTS (
                  SELECT 1 FROM outcome own
                  WHERE own.campaign_id = a.campaign_id AND (own.ordinal, own.branch_index) <> (a.ordinal, a.branch_index)
                    AND (own.origin_campaign, own.origin_case, own.origin_branch, own.origin_trial, own.origin_draw)
                      = (g.origin_campaign, g.origin_case, g.origin_branch, g.origin_trial, g.origin_draw))
            ORDER BY g.answered_at DESC, (g.source <> 'LIVE'), g.campaign_id LIMIT 1)
        SELECT o.messages, o.original_context_length, o.response, o.finish_reason, o.requested, o.effective, o.served, o.warnings,
               o.input_tokens, o.output_tokens, o.reasoning_tokens, o.cache_read_tokens, o.cache_write_tokens, o.total_tokens,
               o.cost_usd, o.latency_ms, h.answered_at,
               h.origin_campaign, h.origin_case, h.origin_branch, h.origin_trial, h.origin_draw
        FROM chosen h CROSS JOIN LATERAL (
            SELECT o.* FROM outcome o
            WHERE h.rerun IS NULL AND o.campaign_id = h.campaign_id AND o.ordinal = h.ordinal AND o.branch_index = h.branch_index
            UNION ALL
            SELECT p.* FROM replaced_result r CROSS JOIN LATERAL jsonb_populate_record(NULL::outcome, r.result) p
            WHERE r.campaign_id = h.campaign_id AND r.rerun = h.rerun AND r.kind = 'outcome' AND r.ordinal = h.ordinal
              AND r.member = h.branch_index) o\
        """.formatted(CANDIDATES);

    /** A call that was made before in the campaign is made again: a re-run asked for it. */
    private static final String FIND_CALL = """
        SELECT j.reply, j.input_tokens, j.output_tokens, j.reasoning_tokens, j.cache_read_tokens, j.cache_write_tokens,
               j.total_tokens, j.cost_usd, j.latency_ms, j.requested, j.effective, j.served, j.answered_at,
               coalesce(j.origin_campaign, j.campaign_id) AS origin_campaign, coalesce(j.origin_case, k.case_id) AS origin_case,
               coalesce(j.origin_trial, j.ordinal / c.case_count + 1) AS origin_trial
        FROM judge_call j
        JOIN campaign c USING (campaign_id)
        JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = j.ordinal % c.case_count
        WHERE j.request_key = ? AND j.member = ? AND coalesce(j.origin_trial, j.ordinal / c.case_count + 1) = ?
          AND j.campaign_id <> ? AND c.deleted_at IS NULL AND j.status = 'COMPLETED' AND j.reply IS NOT NULL
          AND (?::text[] IS NULL OR j.campaign_id = ANY (?::text[]))
          AND (?::timestamptz IS NULL OR j.answered_at >= ?::timestamptz)
          AND NOT EXISTS (
              SELECT 1 FROM generate_series(1, ?) AS again (rerun)
              JOIN replaced_result own ON own.campaign_id = ? AND own.rerun = again.rerun AND own.kind = 'judge_call'
                AND own.ordinal = ? AND own.member = ?)
        ORDER BY j.answered_at DESC, (j.source <> 'LIVE'), j.campaign_id LIMIT 1\
        """;

    private static final String EARLIER_EQUALS = """
        SELECT case_index, earlier FROM (
            SELECT case_index, (row_number() OVER (PARTITION BY md5(jsonb_build_array(
                CASE WHEN ? THEN to_jsonb(prompts) END, CASE WHEN ? THEN prompt_messages END, context,
                CASE WHEN ?::text[] IS NULL THEN vars
                     ELSE (SELECT jsonb_object_agg(v.key, v.value ORDER BY v.key)
                           FROM jsonb_each(CASE WHEN jsonb_typeof(vars) = 'object' THEN vars END) v WHERE v.key = ANY (?::text[])) END)::text)
                ORDER BY case_index) - 1)::integer AS earlier
            FROM suite_case WHERE suite_id = ?) ranked
        WHERE earlier > 0\
        """;

    private final Sql sql;

    ReuseRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * The stored answer that a cell takes; empty: there is none, and it is asked.
     *
     * @param trial of the cell, from 1
     */
    @ReadOnly
    public Optional<ReusableAnswer> find(
            StoredCampaign campaign, ReusePolicy policy, int ordinal, int branchIndex, int trial, RequestName request) {
        Collection<String> campaigns = policy.campaigns().isEmpty() ? null : policy.campaigns();
        Instant since = policy.since(campaign.createdAt());
        return sql.first(
                FIND,
                ReuseRepository::read,
                campaign.id(),
                ordinal,
                branchIndex,
                request.key(),
                request.rank(),
                trial,
                campaigns,
                campaigns,
                since,
                since,
                campaign.reruns());
    }

    private static ReusableAnswer read(ResultSet row) throws SQLException {
        return new ReusableAnswer(
                new Outcome.Answer(
                        OutcomeColumns.messages(row, "messages"),
                        row.getInt("original_context_length"),
                        row.getString("response"),
                        Columns.provenance(row),
                        null,
                        row.getString("finish_reason")),
                measured(row),
                Columns.strings(row, "warnings"),
                new AnswerOrigin(
                        AnswerSource.REUSED,
                        new Draw(
                                row.getString("origin_campaign"),
                                row.getString("origin_case"),
                                row.getString("origin_branch"),
                                row.getInt("origin_trial"),
                                row.getInt("origin_draw")),
                        Columns.instant(row, "answered_at")));
    }

    /**
     * The stored call of the same slot and trial that stands in for one of a judge or grader; empty: it is made.
     *
     * @param slot number of the call in its trial
     * @param trial of the cell, from 1
     */
    @ReadOnly
    public Optional<ReusableCall> findCall(
            StoredCampaign campaign, ReusePolicy policy, int ordinal, int slot, int trial, String key) {
        Collection<String> campaigns = policy.campaigns().isEmpty() ? null : policy.campaigns();
        Instant since = policy.since(campaign.createdAt());
        return sql.first(
                FIND_CALL,
                ReuseRepository::readCall,
                key,
                slot,
                trial,
                campaign.id(),
                campaigns,
                campaigns,
                since,
                since,
                campaign.reruns(),
                campaign.id(),
                ordinal,
                slot);
    }

    private static ReusableCall readCall(ResultSet row) throws SQLException {
        return new ReusableCall(
                row.getString("reply"),
                measured(row),
                Columns.provenance(row),
                new AnswerOrigin(
                        AnswerSource.REUSED,
                        new Draw(
                                row.getString("origin_campaign"),
                                row.getString("origin_case"),
                                "",
                                row.getInt("origin_trial"),
                                0),
                        Columns.instant(row, "answered_at")));
    }

    private static Measured measured(ResultSet row) throws SQLException {
        return new Measured(
                Columns.usage(row), row.getBigDecimal("cost_usd"), Duration.ofMillis(row.getLong("latency_ms")));
    }

    /**
     * How many earlier cases of a suite are asked as a case is, for the cases of which that is not 0.
     *
     * @param prompts whether prompts are part of what is asked
     * @param vars the vars that are; null: all
     */
    @ReadOnly
    public Map<Integer, Integer> earlierEquals(String suiteId, boolean prompts, @Nullable Set<String> vars) {
        return sql.byKey(
                EARLIER_EQUALS,
                row -> row.getInt("case_index"),
                row -> row.getInt("earlier"),
                prompts,
                prompts,
                vars,
                vars,
                suiteId);
    }
}
