package dev.assay.store.result;

import dev.assay.domain.comparison.CaseMeasures;
import dev.assay.domain.comparison.ComparedCase;
import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.evidence.CaseEvidence.Redraws;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.suite.GroupBy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evidence.RedrawnCases;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cases of campaigns for comparisons. PostgreSQL adds up their trials; memory holds a few dozen bytes for each case. */
@Singleton
public class ComparisonRepository {

    /** A prefix of SHA-256, which no two contents share by chance. Tags only sort cases, so they are no part of it. */
    static final String CONTENT_HASH = """
        left(encode(sha256(convert_to(
            ROW (s.prompts, s.prompt_messages, s.context, s.checks, s.metadata, s.workspace_subdir, s.threshold)::text,
            'UTF8')), 'base64'), 22)\
        """;

    /** The same of what is asked alone. */
    static final String QUESTION_HASH = """
        left(encode(sha256(convert_to(
            ROW (s.prompts, s.prompt_messages, s.context, s.workspace_subdir)::text, 'UTF8')), 'base64'), 22)\
        """;

    /**
     * Of the copies that one holds, those that the other holds, too: as a copy, or as the answer that was asked for. Where all cells of
     * a branch were asked again, an earlier answer of the cell is another one.
     */
    private static final String SHARED_DRAWS = """
        SELECT count(*) FROM outcome o
        WHERE o.campaign_id = ? AND o.branch_index = ? AND o.origin_campaign IS NOT NULL AND (
            EXISTS (
                SELECT 1 FROM outcome p
                WHERE p.campaign_id = ? AND p.branch_index = ?
                  AND (p.origin_campaign, p.origin_case, p.origin_branch, p.origin_trial, p.origin_draw)
                    = (o.origin_campaign, o.origin_case, o.origin_branch, o.origin_trial, o.origin_draw))
            OR EXISTS (
                SELECT 1
                FROM campaign c
                JOIN campaign_branch b ON b.campaign_id = c.campaign_id AND b.branch_index = ?
                JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_id = o.origin_case
                JOIN outcome p ON p.campaign_id = c.campaign_id AND p.branch_index = b.branch_index
                    AND p.ordinal = (o.origin_trial - 1) * c.case_count + k.case_index AND p.origin_campaign IS NULL
                WHERE c.campaign_id = ? AND o.origin_campaign = c.campaign_id AND o.origin_branch = b.branch_id
                  AND (o.origin_draw = draw_number(p.campaign_id, p.ordinal, p.branch_index)
                       OR NOT EXISTS (SELECT 1 FROM whole_rerun w
                                      WHERE w.campaign_id = c.campaign_id AND w.branch_index = b.branch_index))))\
        """;

    private static final String BOTH_COPY = """
        SELECT count(*) FROM outcome o
        WHERE o.campaign_id = ? AND o.branch_index = ? AND EXISTS (
            SELECT 1 FROM outcome p
            WHERE p.campaign_id = ? AND p.branch_index = ?
              AND (p.origin_campaign, p.origin_case, p.origin_branch, p.origin_trial, p.origin_draw)
                = (o.origin_campaign, o.origin_case, o.origin_branch, o.origin_trial, o.origin_draw))\
        """;

    private final Sql sql;
    private final CaseRepository suites;
    private final RedrawnCases redrawn;

    ComparisonRepository(Sql sql, CaseRepository suites, RedrawnCases redrawn) {
        this.sql = sql;
        this.suites = suites;
        this.redrawn = redrawn;
    }

    /**
     * The parts of cases that are read beside their trials.
     *
     * @param pairing what cases must have in common, of which hashes are needed; null: none, as two campaigns over one suite have the
     *     same cases
     * @param scores whether the scores of the trials are needed
     * @param longest a time that counts for all that took longer; null: none. Two campaigns whose time limits differ are compared up
     *     to the shorter one
     * @param copies whether copies of stored answers count, too
     */
    public record Wanted(
            @Nullable Pairing pairing,
            boolean scores,
            @Nullable Duration longest,
            boolean copies) {

        /** With copies. */
        public Wanted(@Nullable Pairing pairing, boolean scores, @Nullable Duration longest) {
            this(pairing, scores, longest, true);
        }
    }

    /** The part of a campaign that concerns its cases, beside their rows. */
    private record Side(StoredCampaign campaign, @Nullable List<String> groups, RedrawnCases.OfBranch redrawn) {

        ErrorTreatment errors() {
            return campaign.definition().gate().demands().errors();
        }
    }

    /** How many answers of two branches are one: one holds a copy of what the other was asked, or both hold copies of the same. */
    @ReadOnly
    public int sharedDraws(StoredCampaign a, int branchOfA, StoredCampaign b, int branchOfB) {
        return count(SHARED_DRAWS, a.id(), branchOfA, b.id(), branchOfB, branchOfB, b.id())
                + count(SHARED_DRAWS, b.id(), branchOfB, a.id(), branchOfA, branchOfA, a.id())
                - count(BOTH_COPY, a.id(), branchOfA, b.id(), branchOfB);
    }

    private int count(String statement, Object... parameters) {
        return sql.first(statement, row -> row.getInt(1), parameters).orElseThrow();
    }

    /** As {@link #cases(StoredCampaign, int, Wanted)}, by whatever time was taken. */
    @ReadOnly
    public List<ComparedCase> cases(
            StoredCampaign campaign, int branchIndex, @Nullable Pairing pairing, boolean withScores) {
        return cases(campaign, branchIndex, new Wanted(pairing, withScores, null));
    }

    /** The cases of a campaign by the answers of a branch that it asked for itself: copies are evidence of the campaigns that asked. */
    @ReadOnly
    public List<ComparedCase> askedCases(StoredCampaign campaign, int branchIndex) {
        return cases(campaign, branchIndex, new Wanted(null, false, null, false));
    }

    /** The cases of a campaign with the results of one of its branches; those without an outcome are unknown. In any order. */
    @ReadOnly
    public List<ComparedCase> cases(StoredCampaign campaign, int branchIndex, Wanted wanted) {
        // A hundred thousand cases are added up in memory instead of in files; only in this transaction.
        sql.update("SET LOCAL work_mem = '64MB'");
        GroupBy groupBy = campaign.definition().groupBy();
        Side side = new Side(
                campaign,
                groupBy == null ? null : suites.groups(campaign.suiteId(), groupBy),
                redrawn.of(campaign, branchIndex));
        List<ComparedCase> cases = new ArrayList<>(campaign.caseCount());
        // Few cases have tags that no other has, or trials as no other: a list of them is held once.
        Map<Object, Object> once = new HashMap<>();
        sql.forEach(
                select(wanted),
                row -> read(row, side, once),
                cases::add,
                side.redrawn().ordinals(),
                side.errors() == ErrorTreatment.FAIL,
                side.errors() != ErrorTreatment.UNKNOWN,
                campaign.definition().limits().timeout().toMillis(),
                wanted.longest() == null ? null : wanted.longest().toMillis(),
                campaign.id(),
                branchIndex,
                campaign.suiteId());
        return cases;
    }

    /**
     * Trials whose cells were asked again are counted apart, by their first draws. Whole numbers add up exactly as doubles, in any
     * order, and faster than as numeric.
     */
    private static String select(Wanted wanted) {
        String content =
                wanted.pairing() == null ? "''" : wanted.pairing() == Pairing.QUESTION ? QUESTION_HASH : CONTENT_HASH;
        String scores = "array_agg(COALESCE(q.score, q.passed::integer))"
                + " FILTER (WHERE q.once AND q.passed IS NOT NULL AND q.counts)";
        return """
            SELECT s.case_id, s.case_index, s.tags, %1$s AS content, t.*
            FROM suite_case s LEFT JOIN (
                SELECT q.case_index,
                       count(*) FILTER (WHERE q.once AND q.answered AND q.passed) AS passed,
                       count(*) FILTER (WHERE q.once AND q.answered AND NOT q.passed) AS failed,
                       count(*) FILTER (WHERE q.once AND NOT q.answered) AS errors,
                       count(*) FILTER (WHERE q.once AND q.unanswered) AS unanswered,
                       count(*) FILTER (WHERE q.once AND q.answered AND q.passed IS NULL) AS unscored,
                       count(*) FILTER (WHERE NOT q.unanswered) AS cells,
                       sum(q.total_tokens::float8) AS tokens, sum(q.cost_usd) AS cost_usd,
                       count(*) FILTER (WHERE q.cost_usd IS NULL AND (q.total_tokens IS DISTINCT FROM 0 OR q.answered)) AS unpriced,
                       count(*) FILTER (WHERE q.total_tokens IS NULL OR (q.total_tokens = 0 AND q.answered)) AS uncounted,
                       avg(q.took) FILTER (WHERE q.answered OR q.status = 'TIMED_OUT') AS latency_ms,
                       %2$s AS scores
                FROM (SELECT r.case_index, r.status, r.passed, r.score, r.total_tokens, r.cost_usd,
                             r.ordinal <> ALL (?::integer[]) AS once,
                             r.status IN ('COMPLETED', 'LIMIT') AS answered,
                             %3$s AS unanswered,
                             r.status IN ('COMPLETED', 'LIMIT') OR CASE WHEN %3$s THEN ? ELSE ? END AS counts,
                             CASE WHEN r.delivery = 'LIVE' THEN LEAST(CASE r.status WHEN 'TIMED_OUT' THEN GREATEST(r.latency_ms, ?::bigint)
                                   ELSE r.latency_ms END, ?::bigint) END::float8 AS took
                      FROM outcome r
                      WHERE r.campaign_id = ? AND r.branch_index = ?
                            AND r.status IN ('COMPLETED', 'LIMIT', 'MODEL_ERROR', 'TIMED_OUT')%4$s) q
                GROUP BY q.case_index) t USING (case_index)
            WHERE s.suite_id = ?\
            """.formatted(
                        content,
                        wanted.scores() ? scores : "NULL::float8[]",
                        "(" + OutcomeColumns.IS_UNANSWERED + ")",
                        wanted.copies() ? "" : " AND r.source <> 'REUSED'");
    }

    /** Without an outcome, every number of the row is null, which reads as 0. */
    private static ComparedCase read(ResultSet row, Side side, Map<Object, Object> once) throws SQLException {
        int caseIndex = row.getInt("case_index");
        long cells = row.getLong("cells");
        List<String> groups = side.groups();
        return new ComparedCase(
                row.getString("case_id"),
                row.getString("content"),
                once(once, evidence(row, side, caseIndex)),
                side.errors(),
                new CaseMeasures(
                        cells == 0 || row.getInt("uncounted") > 0 ? null : (Double) (row.getDouble("tokens") / cells),
                        cells == 0 ? null : (Double) (row.getDouble("cost_usd") / cells),
                        row.getInt("unpriced"),
                        (Double) row.getObject("latency_ms"),
                        side.redrawn().withFirst(caseIndex, Columns.doubles(row, "scores"))),
                once(once, Columns.strings(row, "tags")),
                groups == null ? null : groups.get(caseIndex));
    }

    private static CaseEvidence evidence(ResultSet row, Side side, int caseIndex) throws SQLException {
        int unanswered = row.getInt("unanswered");
        return side.redrawn()
                .plus(
                        caseIndex,
                        new CaseEvidence(
                                side.campaign().trials(),
                                row.getInt("passed"),
                                row.getInt("failed"),
                                row.getInt("errors") - unanswered,
                                unanswered,
                                row.getInt("unscored"),
                                0,
                                Redraws.NONE));
    }

    @SuppressWarnings("unchecked")
    private static <T> T once(Map<Object, Object> once, T one) {
        return (T) once.computeIfAbsent(one, any -> any);
    }
}
