package dev.assay.store.result;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageTotal;
import dev.assay.store.evidence.Correction;
import dev.assay.store.evidence.DrawQueries;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import dev.assay.store.sql.TokenColumns;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counters of campaigns, added up over the shards in which workers count. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class ProgressRepository implements QueryRepository {

    private static final String SUMS = """
        coalesce(sum(r.cells_done), 0) AS cells_done, coalesce(sum(r.cells_passed), 0) AS cells_passed,
        coalesce(sum(r.cells_failed), 0) AS cells_failed,
        coalesce(sum(r.cells_unscored), 0) AS cells_unscored,
        coalesce(sum(r.cells_unanswered), 0) AS cells_unanswered, coalesce(sum(r.wins), 0) AS wins,
        coalesce(sum(r.trials_done), 0) + coalesce(sum(r.trials_not_needed) FILTER (WHERE r.shard = 'not-needed-' || c.epoch), 0)
            AS trials_done,
        coalesce(sum(r.cells_not_needed) FILTER (WHERE r.shard = 'not-needed-' || c.epoch), 0) AS cells_not_needed, coalesce(sum(r.trials_failed), 0) AS trials_failed,
        coalesce(sum(r.unknown_usage), 0) AS unknown_usage, sum(r.cost_usd) AS cost_usd,
        """ + TokenColumns.SUMS + "\n";

    private static final String TOKENS_OF =
            TokenColumns.SUMS + ", " + TokenColumns.UNKNOWN_USAGE + ", sum(r.cost_usd)\n";

    private static final TypeReference<Proportion> RATE = new TypeReference<>() {};

    private final Sql sql;
    private final DrawQueries draws;

    ProgressRepository(Sql sql, DrawQueries draws) {
        this.sql = sql;
        this.draws = draws;
    }

    /** The counters of a campaign; empty when there is none with this id. */
    @ReadOnly
    public Optional<CampaignCounters> find(String campaignId) {
        return Optional.ofNullable(find(List.of(campaignId)).get(campaignId));
    }

    /** The counters of several campaigns, by id; a campaign that does not exist is not in the result. */
    @ReadOnly
    public Map<String, CampaignCounters> find(Collection<String> campaignIds) {
        Map<String, List<BranchCounters>> branches = branches(campaignIds);
        return sql.byKey(
                "SELECT c.campaign_id, c.case_count::bigint * c.trials AS trials_total, " + SUMS + """
                    FROM campaign c
                    LEFT JOIN progress r ON r.campaign_id = c.campaign_id AND r.kind = 'trial'
                    WHERE c.campaign_id = ANY (?) GROUP BY c.campaign_id\
                    """,
                row -> row.getString("campaign_id"),
                row -> counters(row, branches.getOrDefault(row.getString("campaign_id"), List.of())),
                campaignIds);
    }

    /** Trials of a campaign that have a selection and only cells that are final, or not needed in this epoch. */
    @ReadOnly
    @Query("""
        SELECT coalesce(sum(trials_done), 0) + coalesce(sum(trials_not_needed) FILTER (WHERE shard = 'not-needed-' || :epoch), 0)
        FROM progress WHERE campaign_id = :campaignId AND kind = 'trial'
        """)
    public abstract int trialsDone(String campaignId, int epoch);

    /**
     * Recomputes all counters of a campaign from its rows. Outcomes that are being recorded meanwhile are counted exactly once:
     * they wait for the campaign's row, or this waits for them.
     */
    @Transactional
    public void recount(String campaignId) {
        sql.exists("SELECT 1 FROM campaign WHERE campaign_id = ? FOR UPDATE", campaignId);
        removeCounters(campaignId);
        recountBranches(campaignId);
        recountTrials(campaignId);
        recountNotNeeded(campaignId);
    }

    @Query("DELETE FROM progress WHERE campaign_id = :campaignId")
    abstract void removeCounters(String campaignId);

    @Query("""
        INSERT INTO progress (campaign_id, kind, member, shard, cells_not_needed, trials_not_needed)
        SELECT c.campaign_id, r.kind, r.member, 'not-needed-' || c.epoch, sum(r.cells), sum(r.trials)
        FROM campaign c JOIN (
            SELECT campaign_id, epoch, 'branch' AS kind, branch_index AS member, 1 AS cells, 0 AS trials
            FROM outcome WHERE campaign_id = :campaignId AND not_needed AND status = 'CANCELLED'
            UNION ALL
            SELECT campaign_id, epoch, 'trial', 0, 0, 1 FROM trial WHERE campaign_id = :campaignId AND not_needed) AS r
            USING (campaign_id, epoch)
        WHERE c.campaign_id = :campaignId GROUP BY c.campaign_id, c.epoch, r.kind, r.member
        """)
    abstract void recountNotNeeded(String campaignId);

    @Query("""
        INSERT INTO progress (campaign_id, kind, member, shard, cells_done, cells_passed, cells_failed,
            cells_unscored, cells_unanswered, wins,
            input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens,
            unknown_usage, cost_usd)
        SELECT r.campaign_id, 'branch', r.branch_index, 'recount',
            count(*) FILTER (WHERE r.status IN ('COMPLETED', 'LIMIT', 'MODEL_ERROR', 'TIMED_OUT')),
            count(*) FILTER (WHERE r.passed AND r.status IN ('COMPLETED', 'LIMIT', 'MODEL_ERROR', 'TIMED_OUT')),
            count(*) FILTER (WHERE r.status IN ('MODEL_ERROR', 'TIMED_OUT')),
            count(*) FILTER (WHERE r.status IN ('COMPLETED', 'LIMIT') AND r.passed IS NULL),
            count(*) FILTER (WHERE (\
        """ + OutcomeColumns.IS_UNANSWERED + """
            )),
            count(*) FILTER (WHERE t.decided AND NOT t.tied AND t.strategy <> 'pick-first'
                AND t.selected_index = r.branch_index),
        """ + TOKENS_OF + """
        FROM outcome r LEFT JOIN trial t USING (campaign_id, ordinal)
        WHERE r.campaign_id = :campaignId GROUP BY r.campaign_id, r.branch_index
        """)
    abstract void recountBranches(String campaignId);

    @Query("""
        INSERT INTO progress (campaign_id, kind, member, shard, cells_done, trials_done, trials_failed,
            input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens,
            unknown_usage, cost_usd)
        SELECT c.campaign_id, 'trial', 0, 'recount',
            count(*) FILTER (WHERE r.status IN ('COMPLETED', 'LIMIT', 'MODEL_ERROR', 'TIMED_OUT')),
            (SELECT count(*) FROM trial t WHERE t.campaign_id = c.campaign_id AND t.complete),
            (SELECT count(*) FROM trial t WHERE t.campaign_id = c.campaign_id AND t.complete AND EXISTS (
                SELECT 1 FROM outcome o WHERE o.campaign_id = t.campaign_id AND o.ordinal = t.ordinal
                    AND o.status IN ('MODEL_ERROR', 'TIMED_OUT'))),
        """ + TOKENS_OF + """
        FROM campaign c LEFT JOIN (
            SELECT campaign_id, status, input_tokens, output_tokens, reasoning_tokens, cache_read_tokens,
                cache_write_tokens, total_tokens, cost_usd FROM judge_call WHERE campaign_id = :campaignId
            UNION ALL
            SELECT campaign_id, NULL, input_tokens, output_tokens, reasoning_tokens, cache_read_tokens,
                cache_write_tokens, total_tokens, NULL FROM trial
            WHERE campaign_id = :campaignId AND complete AND total_tokens IS DISTINCT FROM 0) AS r USING (campaign_id)
        WHERE c.campaign_id = :campaignId GROUP BY c.campaign_id
        """)
    abstract void recountTrials(String campaignId);

    private Map<String, List<BranchCounters>> branches(Collection<String> campaignIds) {
        Map<String, Map<Integer, Correction>> corrections = draws.corrections(campaignIds);
        return sql.grouped(
                "SELECT b.campaign_id, b.branch_index, b.branch_id,"
                        + " CASE WHEN c.state = 'COMPLETED' THEN b.trial_rate END AS trial_rate, " + SUMS + """
                        FROM campaign_branch b JOIN campaign c USING (campaign_id)
                        LEFT JOIN progress r
                            ON r.campaign_id = b.campaign_id AND r.kind = 'branch' AND r.member = b.branch_index
                        WHERE b.campaign_id = ANY (?)
                        GROUP BY b.campaign_id, b.branch_index, b.branch_id, b.trial_rate, c.state ORDER BY b.campaign_id, b.branch_index\
                        """,
                row -> row.getString("campaign_id"),
                row -> branch(row, corrections.getOrDefault(row.getString("campaign_id"), Map.of())),
                campaignIds);
    }

    private static BranchCounters branch(ResultSet row, Map<Integer, Correction> corrections) throws SQLException {
        return new BranchCounters(
                row.getInt("branch_index"),
                row.getString("branch_id"),
                row.getLong("cells_done"),
                row.getLong("cells_passed"),
                row.getLong("cells_failed"),
                row.getLong("cells_unscored"),
                row.getLong("cells_unanswered"),
                row.getLong("cells_not_needed"),
                row.getLong("wins"),
                tokens(row),
                row.getBigDecimal("cost_usd"),
                row.getString("trial_rate") == null ? null : Columns.json(row, "trial_rate", RATE),
                corrections.getOrDefault(row.getInt("branch_index"), Correction.NONE));
    }

    /** Where no total is known, that of no answer is: earlier builds did not count these. */
    private static UsageTotal tokens(ResultSet row) throws SQLException {
        UsageTotal tokens = Columns.usageTotal(row);
        long answers = row.getLong("cells_done") - row.getLong("cells_failed");
        boolean counted = tokens.unknownUsage() > 0 || tokens.usage().known() || answers == 0;
        return counted ? tokens : new UsageTotal(Usage.UNKNOWN, answers);
    }

    private static CampaignCounters counters(ResultSet row, List<BranchCounters> branches) throws SQLException {
        return new CampaignCounters(
                row.getLong("trials_total"),
                row.getLong("trials_done"),
                row.getLong("trials_failed"),
                branches,
                Columns.usageTotal(row),
                row.getBigDecimal("cost_usd"));
    }
}
