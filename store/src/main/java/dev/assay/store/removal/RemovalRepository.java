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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Removes campaigns. The first transaction hides one. Its rows then go in steps, so that no one waits long. The last step takes
 * what is left, the campaign's own row, and what no other campaign uses. Its ledger goes after that. An interrupted removal
 * resumes where it was.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class RemovalRepository implements QueryRepository {

    private static final int ROWS = 5_000;

    /**
     * A table with many rows of a campaign.
     *
     * @param owner the column that names the campaign
     * @param key the number by which the rows of a campaign are in an index; null: they are few, or in no such order
     * @param named what names something in a row that goes when no row names it; null: nothing does
     * @param unnamed what removes the named; empty where there is none
     */
    private record Table(
            String name,
            String owner,
            @Nullable String key,
            @Nullable String named,
            List<String> unnamed) {

        static Table of(String name, @Nullable String key) {
            return new Table(name, "campaign_id", key, null, List.of());
        }

        static Table judged(String name, @Nullable String key, String prompt) {
            return new Table(name, "campaign_id", key, prompt, List.of(FORGET_PROMPTS));
        }

        static Table ofDraws(String name, String key, String origin) {
            return new Table(name, "campaign_id", key, origin, FORGET_LABELS);
        }

        static Table ofEvaluations(String name, String key) {
            return new Table(name, "evaluation_id", key, null, List.of());
        }

        /** Deletes rows from a key on. The index is not read from its begin again: what was deleted may still be in it. */
        String delete() {
            String from = key == null ? "" : " AND " + key + " >= ? ORDER BY " + key;
            return "DELETE FROM " + name + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM " + name + " WHERE " + owner
                    + " = ?" + from + " LIMIT ?)) RETURNING " + (key == null ? "0" : key) + ", "
                    + (named == null ? "NULL::text" : named);
        }
    }

    private static final String FORGET_PROMPTS = """
        DELETE FROM judge_prompt p WHERE p.prompt_hash = ANY (?)
          AND NOT EXISTS (SELECT 1 FROM judge_call j WHERE j.prompt_hash = p.prompt_hash)\
        """;

    private static final String UNHELD = """
         AND NOT EXISTS (
            SELECT 1 FROM outcome o
            WHERE o.origin_campaign = l.origin_campaign AND o.origin_case = l.origin_case AND o.origin_branch = l.origin_branch
              AND o.origin_trial = l.origin_trial AND o.origin_draw = l.origin_draw)\
        """;

    private static final String ORPHANED = """
         AND l.origin_campaign = ANY (?)
         AND NOT EXISTS (SELECT 1 FROM campaign c WHERE c.campaign_id = l.origin_campaign)\
        """;

    // Of copies of answers of campaigns that are gone. Labels in force, and others, have an index each.
    private static final List<String> FORGET_LABELS = List.of(
            "DELETE FROM label l WHERE l.superseded_at IS NULL" + ORPHANED + UNHELD,
            "DELETE FROM label l WHERE l.superseded_at IS NOT NULL" + ORPHANED + UNHELD);

    // The removal of a campaign that is named may be about to end: only one of the two must look last.
    private static final String AWAIT = "SELECT 1 FROM campaign WHERE campaign_id = ANY (?) FOR KEY SHARE";

    /** Those that others refer to come last. */
    private static final List<Table> LARGE = List.of(
            Table.judged("judge_call", "ordinal", "prompt_hash"),
            Table.judged("replaced_result", "rerun", "result ->> 'prompt_hash'"),
            Table.of("turn", "ordinal"),
            Table.ofDraws("outcome", "ordinal", "origin_campaign"),
            Table.of("ungraded_outcome", "ordinal"),
            Table.of("trial", "ordinal"),
            Table.of("cell", "ordinal"),
            Table.of("provider_batch_item", "request_id"),
            Table.of("progress", null),
            Table.of("series", null),
            Table.of("matrix_change", "number"),
            Table.of("matrix_chunk", "chunk"),
            Table.ofEvaluations("evaluation_event", "number"),
            Table.ofEvaluations("hypothesis_batch", "batch_index"));

    /** Tables with few rows, in the order in which they are emptied. */
    private static final List<String> SMALL = List.of(
            "DELETE FROM label l WHERE l.superseded_at IS NULL AND l.origin_campaign = ?" + UNHELD,
            "DELETE FROM label l WHERE l.superseded_at IS NOT NULL AND l.origin_campaign = ?" + UNHELD,
            "DELETE FROM label_sample_cell WHERE sample_id IN (SELECT sample_id FROM label_sample"
                    + " WHERE campaign_id = ?)",
            "DELETE FROM label_sample WHERE campaign_id = ?",
            "DELETE FROM provider_batch WHERE campaign_id = ?",
            "DELETE FROM budget WHERE campaign_id = ?",
            "DELETE FROM matrix WHERE campaign_id = ?",
            "DELETE FROM store_gap WHERE campaign_id = ?",
            "DELETE FROM unstored_answer WHERE campaign_id = ?",
            "DELETE FROM compute_kill WHERE campaign_id = ?",
            "DELETE FROM campaign_interpreter WHERE campaign_id = ?",
            "DELETE FROM cancelled_branch WHERE campaign_id = ?",
            "DELETE FROM whole_rerun WHERE campaign_id = ?",
            "DELETE FROM scoring WHERE campaign_id = ?",
            "DELETE FROM import_file WHERE campaign_id = ?",
            "DELETE FROM imported_campaign WHERE campaign_id = ?",
            "DELETE FROM campaign_workspace WHERE campaign_id = ?",
            "DELETE FROM hypothesis_evaluation WHERE evaluation_id = ?",
            "DELETE FROM campaign_branch WHERE campaign_id = ?");

    private static final String LOCK =
            "SELECT 1 FROM campaign WHERE campaign_id = ? AND deleted_at IS NOT NULL FOR NO KEY UPDATE";

    private static final String KEEP_LEDGER = """
        WITH gone AS (DELETE FROM campaign WHERE campaign_id = ? RETURNING campaign_id, name)
        INSERT INTO kept_ledger (campaign_id, name, goes_at) SELECT campaign_id, name, now() + ? * interval '1 second' FROM gone\
        """;

    private static final String LEDGER = """
        DELETE FROM ledger WHERE ctid = ANY (ARRAY(SELECT ctid FROM ledger WHERE campaign_id = ? LIMIT ?))\
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
     * @return false: it was hidden already
     * @throws AssayException NOT_FOUND; CONFLICT when it has not ended, or when it is an evaluation that another one continues
     */
    @Transactional
    public boolean begin(String campaignId) {
        Standing standing = sql.first(
                        "SELECT state, deleted_at IS NOT NULL AS deleted FROM campaign WHERE campaign_id = ? FOR"
                                + " UPDATE",
                        row -> new Standing(CampaignState.valueOf(row.getString("state")), row.getBoolean("deleted")),
                        campaignId)
                .orElseThrow(() -> new AssayException(ErrorCode.NOT_FOUND, "There is no campaign " + campaignId));
        if (standing.deleted()) {
            return false;
        }
        if (!standing.state().ended()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Campaign " + campaignId + " is " + standing.state() + ": cancel it before it is deleted");
        }
        sql.first(
                        "SELECT id, expires_at FROM provider_batch WHERE campaign_id = ?"
                                + " AND state NOT IN ('COLLECTED', 'REFUSED', 'ABANDONED') LIMIT 1",
                        row -> batchIsOut(campaignId, row.getString("id"), row.getString("expires_at")),
                        campaignId)
                .ifPresent(problem -> {
                    throw new AssayException(ErrorCode.CONFLICT, problem);
                });
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
        return true;
    }

    private static String batchIsOut(String campaignId, String batchId, @Nullable String expires) {
        return "Campaign " + campaignId + " has provider batch " + batchId + " out"
                + (expires == null ? "" : ", which ends until " + expires)
                + ": wait until it is collected, or abandon it with `assay batch abandon " + batchId + " --yes`";
    }

    /** The oldest campaigns that are in a state for longer than an age in seconds, and that none continues; a hundred at most. */
    @ReadOnly
    @Query("""
        SELECT c.campaign_id FROM campaign c
        WHERE c.state = :state AND c.state IN ('COMPLETED', 'CANCELLED', 'FAILED') AND c.deleted_at IS NULL
          AND c.changed_at < now() - :age * interval '1 second'
          AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.continues_id = c.campaign_id)
          AND NOT EXISTS (SELECT 1 FROM provider_batch b WHERE b.campaign_id = c.campaign_id
                          AND b.state NOT IN ('COLLECTED', 'REFUSED', 'ABANDONED'))
        ORDER BY c.changed_at LIMIT 100
        """)
    public abstract List<String> ended(String state, long age);

    /**
     * Campaigns that are hidden and have rows left, in the order in which they were hidden; without those whose answers are being
     * copied.
     */
    @ReadOnly
    @Query("""
        SELECT c.campaign_id FROM campaign c
        WHERE c.deleted_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM scoring s WHERE s.of_campaign = c.campaign_id AND s.copied_at IS NULL)
        ORDER BY c.deleted_at
        """)
    public abstract List<String> begun();

    /**
     * Where a removal is. It is kept in memory only: one that begins anew finds fewer rows.
     *
     * @param table the table, by its place
     * @param from the first key that may be left there
     */
    public record Position(int table, long from) {

        /** Where a removal begins. */
        public static final Position START = new Position(0, 0);
    }

    /**
     * What a step removed.
     *
     * @param next where the removal goes on; null: there was nothing more
     */
    public record Step(int removed, @Nullable Position next) {}

    private record Removed(long key, @Nullable String named) {}

    /**
     * Removes rows of a hidden campaign.
     *
     * @param rows how many at most
     */
    @Transactional
    public Step remove(String campaignId, Position position, int rows) {
        // One server after the other: rows that another one removes at the same time would be taken for the last ones.
        if (!sql.exists(LOCK, campaignId)) {
            return new Step(0, null);
        }
        Table table = LARGE.get(position.table());
        List<Removed> removed = table.key() == null
                ? sql.list(table.delete(), RemovalRepository::removed, campaignId, rows)
                : sql.list(table.delete(), RemovalRepository::removed, campaignId, position.from(), rows);
        List<String> named = removed.stream()
                .map(Removed::named)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (!named.isEmpty()) {
            sql.list(AWAIT, _ -> true, named);
            table.unnamed().forEach(statement -> sql.update(statement, named));
        }
        return new Step(removed.size(), next(position, removed, rows));
    }

    private static Removed removed(ResultSet row) throws SQLException {
        return new Removed(row.getLong(1), row.getString(2));
    }

    private static @Nullable Position next(Position position, List<Removed> removed, int rows) {
        if (removed.size() == rows) {
            return new Position(
                    position.table(),
                    removed.stream().mapToLong(Removed::key).max().orElseThrow());
        }
        int table = position.table() + 1;
        return table == LARGE.size() ? null : new Position(table, 0);
    }

    /**
     * Removes the rest of a hidden campaign, and what no other campaign uses; nothing when it is gone. Its ledger stays.
     *
     * @param ledger how long its ledger stays
     */
    @Transactional
    public void finish(String campaignId, Duration ledger) {
        String suiteId = sql.first(
                        "SELECT suite_id FROM campaign WHERE campaign_id = ? AND deleted_at IS NOT NULL FOR UPDATE",
                        row -> row.getString("suite_id"),
                        campaignId)
                .orElse(null);
        if (suiteId == null) {
            return;
        }
        // Rows that were recorded since the last step. From now on no row but one of the ledger can refer to the
        // campaign.
        Position position = Position.START;
        while (position != null) {
            position = remove(campaignId, position, ROWS).next();
        }
        List<String> cassettes = cassettes(campaignId);
        sql.update(FORGET_SESSION, campaignId);
        SMALL.forEach(statement -> sql.update(statement, campaignId));
        sql.update(KEEP_LEDGER, campaignId, ledger.toSeconds());
        UnusedContent.removeSuite(sql, suiteId);
        cassettes.forEach(cassette -> UnusedContent.removeCassette(sql, cassette));
    }

    /** Campaigns that are gone, and whose ledger is to go. */
    @ReadOnly
    @Query("SELECT campaign_id FROM kept_ledger WHERE goes_at <= now() ORDER BY goes_at LIMIT 100")
    public abstract List<String> ledgersDue();

    /**
     * Removes rows of the ledger of a campaign that is gone.
     *
     * @param rows how many at most
     * @return how many it removed; 0: its ledger is gone
     */
    @Transactional
    public int removeLedger(String campaignId, int rows) {
        sql.exists("SELECT 1 FROM kept_ledger WHERE campaign_id = ? FOR UPDATE", campaignId);
        int removed = sql.update(LEDGER, campaignId, rows);
        if (removed == 0) {
            sql.update("DELETE FROM kept_ledger WHERE campaign_id = ?", campaignId);
        }
        return removed;
    }

    @Query("""
        SELECT DISTINCT replace(found #>> '{}', 'sha256\\:', '') AS id FROM campaign c,
            jsonb_path_query(c.definition, 'strict $.**.cassette ? (@.type() == "string")') AS found
        WHERE c.campaign_id = :campaignId ORDER BY 1
        """)
    abstract List<String> cassettes(String campaignId);
}
