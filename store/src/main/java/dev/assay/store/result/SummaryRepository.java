package dev.assay.store.result;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.CheckScore;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.comparison.ComparedCase;
import dev.assay.domain.comparison.PairedCases;
import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.report.BaselineReport;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.TallyRules;
import dev.assay.domain.report.fact.CellGroup;
import dev.assay.domain.report.fact.SelectionGroup;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.suite.GroupBy;
import dev.assay.domain.text.WhiteSpace;
import dev.assay.domain.usage.Spend;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evidence.DrawQueries;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import dev.assay.store.sql.TokenColumns;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up a campaign's rows. Reads groups of rows, a few bytes for each cell. */
@Singleton
public class SummaryRepository {

    /** The number of trials in memory at once: a few bytes for each branch's outcome. */
    private static final int AT_ONCE = 500_000;

    private static final String CELLS = """
        SELECT branch_index, trial, passed, CASE WHEN status = 'LIMIT' THEN response ELSE '' END AS response,
               CASE WHEN status IN ('MODEL_ERROR', 'TIMED_OUT') THEN error_code END AS error_code, ended,
               string_agg(int4send(case_index), '') AS cases, string_agg(int8send(latency_ms), '') AS latencies,
               sum(cost_usd) AS cost_usd, %s, %s AS unknown_usage, %s AS unpriced
        FROM (SELECT o.*, %s AS ended FROM outcome o) r WHERE campaign_id = ? AND ordinal >= ? AND ordinal < ?
        GROUP BY 1, 2, 3, 4, 5, 6\
        """.formatted(
                    TokenColumns.SUMS, TokenColumns.UNKNOWN_USAGE, TokenColumns.UNPRICED, OutcomeColumns.STATUS_OF);

    private static final String SCORES = """
        SELECT branch_index, case_index, trial, passed, score, CASE WHEN score IS NULL THEN checks END AS checks
        FROM outcome WHERE campaign_id = ? AND (score IS NOT NULL OR passed IS NOT NULL)\
        """;

    private static final String SELECTIONS = """
        SELECT trial, selected_index, fallback, tied,
               decided AND strategy <> 'pick-first' AND (complete OR ?) AS decided,
               string_agg(int4send(case_index), '') AS cases
        FROM trial WHERE campaign_id = ?
        GROUP BY 1, 2, 3, 4, 5\
        """;

    private static final String STRATEGY_USE = """
        SELECT input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens
        FROM trial WHERE campaign_id = ? AND total_tokens IS DISTINCT FROM 0\
        """;

    private final Sql sql;
    private final CaseRepository cases;
    private final CaseQueries counts;
    private final DrawQueries draws;
    private final AlikeQueries alike;

    SummaryRepository(Sql sql, CaseRepository cases, CaseQueries counts, DrawQueries draws, AlikeQueries alike) {
        this.sql = sql;
        this.cases = cases;
        this.counts = counts;
        this.draws = draws;
        this.alike = alike;
    }

    /** The result from the current rows; cells without a row have no evidence. */
    @ReadOnly
    public CampaignSummary summarize(StoredCampaign campaign) {
        boolean pairwise = campaign.definition().strategy().comparesPairs();
        GroupBy groupBy = campaign.definition().groupBy();
        List<String> branchIds =
                campaign.definition().branches().stream().map(Branch::id).toList();
        CampaignTally tally = new CampaignTally(
                campaign.grid(),
                cases.caseIds(campaign.suiteId()),
                branchIds,
                new TallyRules(
                        campaign.definition().gate(),
                        campaign.definition().reducers(),
                        pairwise,
                        campaign.definition().limits().timeout(),
                        campaign.stopping(),
                        groupBy == null ? null : cases.groups(campaign.suiteId(), groupBy),
                        draws.of(campaign),
                        campaign.budgetUsd()));
        addCells(tally, campaign);
        addSelections(tally, campaign);
        alike.branches(campaign).forEach(tally::foundAlike);
        sql.forEach(
                """
                SELECT input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens,
                       cost_usd, status, graded_branch IS NOT NULL AS is_grade, compaction
                FROM judge_call WHERE campaign_id = ?\
                """,
                row -> row.getBoolean("is_grade")
                        ? tally.addGraderCall(Columns.usageOfAnswer(row), row.getBigDecimal("cost_usd"))
                        : tally.addJudgeCall(
                                Columns.usageOfAnswer(row),
                                row.getBigDecimal("cost_usd"),
                                Json.read(row.getString("compaction"), Compaction.class)),
                _ -> {},
                campaign.id());
        CampaignSummary summary = tally.summarize();
        BaselineRule baseline = campaign.definition().gate().baseline();
        return baseline == null
                ? summary
                : summary.beside(
                        compared(campaign, summary, baseline),
                        campaign.definition().gate().demands());
    }

    /**
     * PostgreSQL groups equal rows: a row for each of a million cells takes Java five times as long. It reads the table once, with
     * several processes, which it does only where all rows are asked for at once.
     */
    private void addCells(CampaignTally tally, StoredCampaign campaign) {
        // Groups are kept in memory instead of in files; only in this transaction.
        sql.update("SET LOCAL work_mem = '64MB'");
        int trials = campaign.grid().size();
        for (int from = 0; from < trials; from += AT_ONCE) {
            int until = trials - from <= AT_ONCE ? Integer.MAX_VALUE : from + AT_ONCE;
            sql.list(CELLS, SummaryRepository::cells, campaign.id(), from, until)
                    .forEach(tally::add);
        }
        if (!campaign.definition().reducers().isEmpty()) {
            sql.forEach(SCORES, row -> addScore(tally, row), _ -> {}, campaign.id());
        }
    }

    private void addSelections(CampaignTally tally, StoredCampaign campaign) {
        // A build that does not stop early selects among the branches that did not stop, too: that is no win.
        boolean countsAll = campaign.stopping().rule() == StopRule.NONE;
        sql.list(SELECTIONS, SummaryRepository::selections, countsAll, campaign.id())
                .forEach(tally::add);
        if (campaign.definition().judging().isPresent()) {
            sql.forEach(
                    "SELECT case_index, votes FROM trial WHERE campaign_id = ? AND votes <> '[]'",
                    row -> tally.addVotes(row.getInt("case_index"), Columns.json(row, "votes", ResultRows.VOTES)),
                    _ -> {},
                    campaign.id());
        }
        if (campaign.definition().strategy().plugin().isPresent()) {
            sql.forEach(STRATEGY_USE, Columns::usage, tally::addStrategyUse, campaign.id());
        }
    }

    private List<BaselineReport> compared(StoredCampaign campaign, CampaignSummary summary, BaselineRule baseline) {
        return summary.gatedBranches().stream()
                .map(branch -> {
                    String other = baseline.branch() != null
                            ? baseline.branch()
                            : counts.counterpart(baseline.campaign(), branch.branchId())
                                    .orElse(null);
                    List<ComparedCase> earlier =
                            other == null ? List.of() : counts.ofBranch(baseline.campaign(), other);
                    PairedCases pairs = PairedCases.of(earlier, counts.ofBranch(campaign.id(), branch.branchId()));
                    return BaselineReport.of(
                            branch.branchId(),
                            baseline,
                            other,
                            pairs.rates(),
                            pairs.first().doubt().and(pairs.second().doubt()));
                })
                .toList();
    }

    private static CellGroup cells(ResultSet row) throws SQLException {
        return new CellGroup(
                row.getInt("branch_index"),
                row.getInt("trial"),
                OutcomeStatus.valueOf(row.getString("ended")),
                Columns.errorCode(row),
                Columns.booleanOrNull(row, "passed"),
                !WhiteSpace.isBlank(row.getString("response")),
                Columns.packedIntegers(row, "cases"),
                Columns.packedLongs(row, "latencies"),
                new Spend(Columns.usageTotal(row), row.getBigDecimal("cost_usd"), row.getInt("unpriced")));
    }

    private static CampaignTally addScore(CampaignTally tally, ResultSet row) throws SQLException {
        Double score = score(row);
        return score == null
                ? tally
                : tally.addScore(row.getInt("branch_index"), row.getInt("case_index"), row.getInt("trial"), score);
    }

    /** The score of a row. A build that recorded no score recorded the results of checks. */
    private static @Nullable Double score(ResultSet row) throws SQLException {
        Double score = (Double) row.getObject("score");
        if (score != null) {
            return score;
        }
        List<CheckResult> checks = Columns.json(row, "checks", OutcomeColumns.CHECKS);
        return checks.isEmpty()
                ? (Double) (row.getBoolean("passed") ? 1.0 : 0.0)
                : CheckScore.of(checks, null).score();
    }

    private static SelectionGroup selections(ResultSet row) throws SQLException {
        return new SelectionGroup(
                row.getInt("trial"),
                Columns.integerOrNull(row, "selected_index"),
                row.getBoolean("fallback"),
                row.getBoolean("decided"),
                row.getBoolean("tied"),
                Columns.packedIntegers(row, "cases"));
    }
}
