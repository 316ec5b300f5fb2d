package dev.assay.store.scoring;

import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.util.List;

/**
 * Scorings. The answers of the campaign that is scored are copied in pieces of trials. Each piece is one transaction that notes how far
 * it came, so another server goes on where one stopped, and no two copy at once.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class ScoringRepository implements QueryRepository {

    private static final String INSERT = """
        INSERT INTO scoring (campaign_id, of_campaign, of_name, branches) VALUES (?, ?, ?, ?::integer[])\
        """;

    // The lock keeps the answers: re-runs, more trials and deletions of the campaign wait for it, and then see the
    // scoring.
    private static final String LOCK_SOURCE = """
        SELECT 1 FROM campaign WHERE campaign_id = ? AND deleted_at IS NULL
          AND state IN ('COMPLETED', 'CANCELLED', 'FAILED') FOR NO KEY UPDATE\
        """;

    private static final String LOCK_PIECE = """
        SELECT copied_trials FROM scoring WHERE campaign_id = ? AND copied_at IS NULL FOR UPDATE SKIP LOCKED\
        """;

    /**
     * The answers of some trials. Of a cell that was asked again the draw that counts is copied. That is the oldest one with a verdict
     * since all cells of its branch were asked again.
     */
    private static final String COPY = """
        WITH s AS (
            SELECT s.campaign_id, s.of_campaign, p.branch_index, (p.place - 1)::integer AS place, b.branch_id, c.suite_id, c.case_count,
                   c.reruns
            FROM scoring s
            CROSS JOIN LATERAL unnest(s.branches) WITH ORDINALITY AS p (branch_index, place)
            JOIN campaign c ON c.campaign_id = s.of_campaign
            JOIN campaign_branch b ON b.campaign_id = s.of_campaign AND b.branch_index = p.branch_index
            WHERE s.campaign_id = ?),
        counting AS (
            SELECT DISTINCT ON (f.ordinal, f.member) s.*, f.ordinal, f.result, (
                       SELECT count(*)::integer FROM replaced_result e
                       WHERE e.campaign_id = f.campaign_id AND e.kind = 'outcome' AND e.ordinal = f.ordinal AND e.member = f.member
                         AND e.rerun < f.rerun AND NOT jsonb_exists(e.result, 'graded_again')) AS draw
            FROM s JOIN replaced_result f ON f.campaign_id = s.of_campaign AND f.kind = 'outcome' AND f.member = s.branch_index
            WHERE s.reruns > 0 AND f.ordinal >= ? AND f.ordinal < ?
              AND f.result ->> 'status' IN ('COMPLETED', 'LIMIT') AND f.result ->> 'passed' IS NOT NULL
              AND f.rerun > coalesce((SELECT max(w.rerun) FROM whole_rerun w
                                      WHERE w.campaign_id = f.campaign_id AND w.branch_index = f.member), 0)
            ORDER BY f.ordinal, f.member, f.rerun),
        answers AS (
            SELECT n.campaign_id, n.of_campaign, n.place, n.branch_id, n.suite_id, n.case_count, n.ordinal, n.result, n.draw, true AS redrawn
            FROM counting n
            UNION ALL
            SELECT s.campaign_id, s.of_campaign, s.place, s.branch_id, s.suite_id, s.case_count, o.ordinal, to_jsonb(o),
                   CASE WHEN s.reruns = 0 THEN 0 ELSE draw_number(o.campaign_id, o.ordinal, o.branch_index) END,
                   o.redrawn
            FROM s JOIN outcome o ON o.campaign_id = s.of_campaign AND o.branch_index = s.branch_index
            WHERE o.ordinal >= ? AND o.ordinal < ? AND o.status IN ('COMPLETED', 'LIMIT', 'MODEL_ERROR', 'TIMED_OUT')
              AND NOT EXISTS (SELECT 1 FROM counting n WHERE n.ordinal = o.ordinal AND n.place = s.place))
        INSERT INTO ungraded_outcome (campaign_id, ordinal, branch_index, outcome)
        SELECT a.campaign_id, a.ordinal, a.place, a.result || jsonb_build_object(
            'campaign_id', a.campaign_id, 'branch_index', a.place, 'epoch', 1, 'attempts', 0, 'checks', '[]'::jsonb,
            'passed', NULL, 'score', NULL, 'output', NULL, 'not_needed', false, 'source', 'REUSED',
            'origin_campaign', coalesce(a.result ->> 'origin_campaign', a.of_campaign),
            'origin_case', coalesce(a.result ->> 'origin_case', k.case_id),
            'origin_branch', coalesce(a.result ->> 'origin_branch', a.branch_id),
            'origin_trial', coalesce((a.result ->> 'origin_trial')::integer, a.ordinal / a.case_count + 1),
            'origin_draw', coalesce((a.result ->> 'origin_draw')::integer, a.draw),
            'answered_at', coalesce(a.result ->> 'answered_at', a.result ->> 'finished_at'),
            'redrawn', a.redrawn, 'passed_before', (a.result ->> 'passed')::boolean,
            'evaluators_before', to_jsonb(ARRAY(
                SELECT DISTINCT e.found ->> 'evaluator'
                FROM jsonb_path_query(a.result -> 'checks', 'strict $.** ? (exists(@.status))')
                    AS e (found))))
        FROM answers a
        JOIN suite_case k ON k.suite_id = a.suite_id AND k.case_index = a.ordinal % a.case_count
        ON CONFLICT (campaign_id, ordinal, branch_index) DO NOTHING\
        """;

    private static final String NOTE_PIECE = """
        UPDATE scoring s SET copied_trials = least(?, c.case_count * c.trials),
            copied_at = CASE WHEN ? >= c.case_count * c.trials THEN now() END
        FROM campaign c WHERE c.campaign_id = s.campaign_id AND s.campaign_id = ?
        RETURNING s.copied_at IS NOT NULL AS whole\
        """;

    private final Sql sql;
    private final CampaignRepository campaigns;

    ScoringRepository(Sql sql, CampaignRepository campaigns) {
        this.sql = sql;
        this.campaigns = campaigns;
    }

    /**
     * Stores a scoring, of which no answer is copied yet.
     *
     * @param branches indexes of the branches of {@code of} that are scored, in the order of those of the scoring
     * @return its id: the new one, or that of one stored earlier with the same key
     * @throws AssayException CONFLICT when {@code of} has not ended, or was deleted meanwhile, or the key came with other content
     */
    @Transactional
    public String create(
            String newId,
            StoredCampaign of,
            List<Integer> branches,
            CampaignSubmission submission,
            SubmissionOrigin origin) {
        if (!sql.exists(LOCK_SOURCE, of.id())) {
            throw new AssayException(
                    ErrorCode.CONFLICT, "Campaign " + of.id() + " goes on or is deleted: score it when it has ended");
        }
        String id = campaigns.create(newId, submission, origin);
        if (id.equals(newId)) {
            sql.update(INSERT, id, of.id(), of.name(), branches);
        } else if (!sql.exists("SELECT 1 FROM scoring WHERE campaign_id = ? AND of_campaign = ?", id, of.id())) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "The idempotency key was used for another campaign: send a new key with new content");
        }
        return id;
    }

    /** What became of a piece. */
    public enum Piece {
        /** There is more to copy. */
        COPIED,
        /** All answers are copied, by this piece or before. */
        WHOLE,
        /** Another server copies. */
        ELSEWHERE
    }

    /**
     * Copies the answers of the next trials.
     *
     * @param trials how many at most
     */
    @Transactional
    public Piece copy(String campaignId, int trials) {
        Integer from = sql.first(LOCK_PIECE, row -> row.getInt(1), campaignId).orElse(null);
        if (from == null) {
            return isCopied(campaignId) ? Piece.WHOLE : Piece.ELSEWHERE;
        }
        int until = from + trials;
        sql.update(COPY, campaignId, from, until, from, until);
        boolean whole = sql.first(NOTE_PIECE, row -> row.getBoolean("whole"), until, until, campaignId)
                .orElseThrow();
        return whole ? Piece.WHOLE : Piece.COPIED;
    }

    private boolean isCopied(String campaignId) {
        return sql.exists("SELECT 1 FROM scoring WHERE campaign_id = ? AND copied_at IS NOT NULL", campaignId);
    }

    /** Whether answers of a campaign are being copied. */
    @ReadOnly
    public boolean isBeingCopied(String campaignId) {
        return sql.exists("SELECT 1 FROM scoring WHERE of_campaign = ? AND copied_at IS NULL LIMIT 1", campaignId);
    }
}
