package dev.assay.store.reuse;

import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** Looks for stored calls of judges and graders. */
@Singleton
public class ReusableCalls {

    /** A call that was made before in the campaign is made again: a re-run asked for it. */
    private static final String FIND_CALL = """
        SELECT j.reply, j.input_tokens, j.output_tokens, j.reasoning_tokens, j.cache_read_tokens, j.cache_write_tokens,
               j.total_tokens, j.cost_usd, CASE WHEN j.delivery = 'BATCH' THEN -1 ELSE j.latency_ms END AS latency_ms, j.requested,
               j.effective, j.served, j.answered_at, j.batch_id, j.cost_assumed,
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

    private final Sql sql;

    ReusableCalls(Sql sql) {
        this.sql = sql;
    }

    /**
     * The stored call of the same slot and trial that stands in for one of a judge or grader; empty: it is made.
     *
     * @param slot number of the call in its trial
     * @param trial of the cell, from 1
     */
    @ReadOnly
    public Optional<ReusableCall> find(
            StoredCampaign campaign, ReusePolicy policy, int ordinal, int slot, int trial, String key) {
        Collection<String> campaigns = policy.campaigns().isEmpty() ? null : policy.campaigns();
        Instant since = policy.since(campaign.createdAt());
        return sql.first(
                FIND_CALL,
                ReusableCalls::read,
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

    private static ReusableCall read(ResultSet row) throws SQLException {
        return new ReusableCall(
                row.getString("reply"),
                ReuseRepository.measured(row),
                Columns.provenance(row),
                new AnswerOrigin(
                        AnswerSource.REUSED,
                        new Draw(
                                row.getString("origin_campaign"),
                                row.getString("origin_case"),
                                "",
                                row.getInt("origin_trial"),
                                0),
                        Columns.instant(row, "answered_at")),
                ReuseRepository.delivered(row));
    }
}
