package dev.assay.store.removal;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.util.List;
import java.util.Map;

/**
 * Removes campaigns. The first transaction hides one. Its rows then go a few thousand in each transaction, so that no one waits
 * long. The last one takes what is left, the campaign's own row, and what no other campaign uses. An interrupted removal resumes
 * where it was.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class RemovalRepository implements QueryRepository {

    private static final int ROWS = 5_000;

    /** Tables with many rows of a campaign, and the column that names it; those that others refer to come last. */
    private static final Map<String, String> LARGE = Map.ofEntries(
            Map.entry("turn", "campaign_id"),
            Map.entry("outcome", "campaign_id"),
            Map.entry("ungraded_outcome", "campaign_id"),
            Map.entry("trial", "campaign_id"),
            Map.entry("cell", "campaign_id"),
            Map.entry("ledger", "campaign_id"),
            Map.entry("progress", "campaign_id"),
            Map.entry("series", "campaign_id"),
            Map.entry("matrix_change", "campaign_id"),
            Map.entry("matrix_chunk", "campaign_id"),
            Map.entry("evaluation_event", "evaluation_id"),
            Map.entry("hypothesis_batch", "evaluation_id"));

    /** Tables with few rows, in the order in which they are emptied. */
    private static final List<String> SMALL = List.of(
            "DELETE FROM budget WHERE campaign_id = ?",
            "DELETE FROM matrix WHERE campaign_id = ?",
            "DELETE FROM store_gap WHERE campaign_id = ?",
            "DELETE FROM unstored_answer WHERE campaign_id = ?",
            "DELETE FROM compute_kill WHERE campaign_id = ?",
            "DELETE FROM cancelled_branch WHERE campaign_id = ?",
            "DELETE FROM whole_rerun WHERE campaign_id = ?",
            "DELETE FROM campaign_workspace WHERE campaign_id = ?",
            "DELETE FROM hypothesis_evaluation WHERE evaluation_id = ?",
            "DELETE FROM campaign_branch WHERE campaign_id = ?");

    private static final String PIECE = """
        DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE %2$s = ? LIMIT ?))\
        """;

    // Rows that name prompts of judges, and the hashes of these.
    private static final Map<String, String> JUDGED =
            Map.of("judge_call", "prompt_hash", "replaced_result", "result ->> 'prompt_hash'");

    private static final String FORGET_PROMPTS = """
        DELETE FROM judge_prompt p WHERE p.prompt_hash = ANY (?)
          AND NOT EXISTS (SELECT 1 FROM judge_call j WHERE j.prompt_hash = p.prompt_hash)\
        """;

    private static final String FORGET_SESSION = """
        WITH gone AS (DELETE FROM evaluation WHERE evaluation_id = ? RETURNING evaluation_id, session_id)
        DELETE FROM session s USING gone g WHERE s.session_id = g.session_id
          AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.session_id = g.session_id AND v.evaluation_id <> g.evaluation_id)\
        """;

    private final Sql sql;

    RemovalRepository(Sql sql) {
        this.sql = sql;
    }

    private record Standing(CampaignState state, boolean deleted) {}

    /**
     * Hides a campaign that has ended; one that is hidden already stays so.
     *
     * @throws AssayException NOT_FOUND; CONFLICT when it has not ended, or when it is an evaluation that another one continues
     */
    @Transactional
    public void begin(String campaignId) {
        Standing standing = sql.first(
                        "SELECT state, deleted_at IS NOT NULL AS deleted FROM campaign WHERE campaign_id = ? FOR"
                                + " UPDATE",
                        row -> new Standing(CampaignState.valueOf(row.getString("state")), row.getBoolean("deleted")),
                        campaignId)
                .orElseThrow(() -> new AssayException(ErrorCode.NOT_FOUND, "There is no campaign " + campaignId));
        if (standing.deleted()) {
            return;
        }
        if (!standing.state().ended()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Campaign " + campaignId + " is " + standing.state() + ": cancel it before it is deleted");
        }
        sql.first(
                        "SELECT evaluation_id FROM evaluation WHERE continues_id = ? LIMIT 1",
                        row -> row.getString("evaluation_id"),
                        campaignId)
                .ifPresent(next -> {
                    throw new AssayException(
                            ErrorCode.CONFLICT,
                            "Evaluation " + next + " continues " + campaignId + ": delete that one first");
                });
        // A new epoch: writes of stale workers are refused.
        sql.update("""
            UPDATE campaign SET deleted_at = now(), idempotency_key = NULL, epoch = epoch + 1 WHERE campaign_id = ?\
            """, campaignId);
    }

    /** Campaigns that are hidden and have rows left. */
    @ReadOnly
    @Query("SELECT campaign_id FROM campaign WHERE deleted_at IS NOT NULL ORDER BY deleted_at")
    public abstract List<String> begun();

    /**
     * Removes a piece of a hidden campaign.
     *
     * @return whether there may be more of that kind
     */
    @Transactional
    public boolean removePiece(String campaignId) {
        for (String table : JUDGED.keySet()) {
            if (removeJudged(table, campaignId) > 0) {
                return true;
            }
        }
        for (Map.Entry<String, String> table : LARGE.entrySet()) {
            if (sql.update(PIECE.formatted(table.getKey(), table.getValue()), campaignId, ROWS) > 0) {
                return true;
            }
        }
        return false;
    }

    private int removeJudged(String table, String campaignId) {
        List<String> hashes = sql.list(
                PIECE.formatted(table, "campaign_id") + " RETURNING coalesce(" + JUDGED.get(table) + ", '') AS hash",
                row -> row.getString("hash"),
                campaignId,
                ROWS);
        if (!hashes.isEmpty()) {
            sql.update(FORGET_PROMPTS, hashes.stream().distinct().toList());
        }
        return hashes.size();
    }

    /** Removes the rest of a hidden campaign, and what no other campaign uses; nothing when it is gone. */
    @Transactional
    public void finish(String campaignId) {
        String suiteId = sql.first(
                        "SELECT suite_id FROM campaign WHERE campaign_id = ? AND deleted_at IS NOT NULL FOR UPDATE",
                        row -> row.getString("suite_id"),
                        campaignId)
                .orElse(null);
        if (suiteId == null) {
            return;
        }
        // Rows that were recorded since the last piece. From now on no row can refer to the campaign.
        boolean more = true;
        while (more) {
            more = removePiece(campaignId);
        }
        List<String> cassettes = cassettes(campaignId);
        sql.update(FORGET_SESSION, campaignId);
        SMALL.forEach(statement -> sql.update(statement, campaignId));
        sql.update("DELETE FROM campaign WHERE campaign_id = ?", campaignId);
        UnusedContent.removeSuite(sql, suiteId);
        cassettes.forEach(cassette -> UnusedContent.removeCassette(sql, cassette));
    }

    @Query("""
        SELECT DISTINCT replace(found #>> '{}', 'sha256\\:', '') AS id FROM campaign c,
            jsonb_path_query(c.definition, 'strict $.**.cassette ? (@.type() == "string")') AS found
        WHERE c.campaign_id = :campaignId ORDER BY 1
        """)
    abstract List<String> cassettes(String campaignId);
}
