package dev.assay.store.result;

import dev.assay.domain.comparison.CaseMeasures;
import dev.assay.domain.comparison.ComparedCase;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
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

    /** The scores of trials. Where a build recorded no score, a trial that passed scores 1 and another one 0. */
    private static final String SCORES =
            "array_agg(COALESCE(score, passed::integer)) FILTER (WHERE passed IS NOT NULL)";

    private final Sql sql;

    ComparisonRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * The cases of a campaign with the results of one of its branches; those without an outcome are unknown. In any order.
     *
     * @param withContent whether content hashes are needed: two campaigns over one suite have the same cases
     * @param withScores whether the scores of the trials are needed
     */
    @ReadOnly
    public List<ComparedCase> cases(StoredCampaign campaign, int branchIndex, boolean withContent, boolean withScores) {
        // A hundred thousand cases are added up in memory instead of in files; only in this transaction.
        sql.update("SET LOCAL work_mem = '64MB'");
        List<ComparedCase> cases = new ArrayList<>(campaign.caseCount());
        // Few cases have tags that no other has: a list of them is held once.
        Map<List<String>, List<String>> tags = new HashMap<>();
        sql.forEach(
                select(withScores),
                row -> read(row, campaign.trials(), tags),
                cases::add,
                withContent,
                campaign.id(),
                branchIndex,
                campaign.suiteId());
        return cases;
    }

    /** Whole numbers add up exactly as doubles, in any order, and faster than as numeric. */
    private static String select(boolean withScores) {
        return """
            SELECT s.case_id, s.tags, CASE WHEN ? THEN %s ELSE '' END AS content, r.*
            FROM suite_case s LEFT JOIN (
                SELECT case_index, count(*) FILTER (WHERE passed) AS passed, count(passed) AS known, count(*) AS cells,
                       count(*) FILTER (WHERE status IN ('MODEL_ERROR', 'TIMED_OUT')) AS errors,
                       sum(total_tokens::float8) AS tokens, sum(cost_usd) AS cost_usd, count(cost_usd) AS priced,
                       avg(latency_ms::float8) FILTER (WHERE status IN ('COMPLETED', 'LIMIT')) AS latency_ms,
                       %s AS scores
                FROM outcome WHERE campaign_id = ? AND branch_index = ? AND NOT (not_needed AND status = 'CANCELLED')
                GROUP BY case_index) r USING (case_index)
            WHERE s.suite_id = ?\
            """.formatted(CONTENT_HASH, withScores ? SCORES : "NULL::float8[]");
    }

    /** Without an outcome, every number of the row is null, which reads as 0. */
    private static ComparedCase read(ResultSet row, int trials, Map<List<String>, List<String>> tags)
            throws SQLException {
        long cells = row.getLong("cells");
        Double tokens = cells == 0 ? null : positive(row.getDouble("tokens") / cells);
        boolean priced = cells > 0 && row.getLong("priced") == cells;
        return new ComparedCase(
                row.getString("case_id"),
                row.getString("content"),
                new CaseCounts(row.getInt("passed"), trials - row.getInt("known"), trials),
                new CaseMeasures(
                        row.getInt("errors"),
                        tokens,
                        priced ? positive(row.getDouble("cost_usd") / cells) : null,
                        positive(row.getDouble("latency_ms")),
                        Columns.doubles(row, "scores")),
                tags.computeIfAbsent(Columns.strings(row, "tags"), List::copyOf));
    }

    private static @Nullable Double positive(double value) {
        return value > 0 ? (Double) value : null;
    }
}
