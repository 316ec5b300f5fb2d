package dev.assay.store.result;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.OutcomeFact;
import dev.assay.domain.report.SelectionFact;
import dev.assay.domain.selection.Strategy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Adds up what a campaign's rows say. Reads narrow columns one by one, so that size does not matter. */
@Singleton
public class SummaryRepository {

    private final Sql sql;
    private final CaseRepository cases;

    SummaryRepository(Sql sql, CaseRepository cases) {
        this.sql = sql;
        this.cases = cases;
    }

    /** The result as the rows stand now; what has no row yet has no evidence. */
    @ReadOnly
    public CampaignSummary summarize(StoredCampaign campaign) {
        boolean pairwise = campaign.definition().strategy() instanceof Strategy.Pairwise;
        List<String> branchIds =
                campaign.definition().branches().stream().map(Branch::id).toList();
        CampaignTally tally = new CampaignTally(
                campaign.grid(),
                cases.caseIds(campaign.suiteId()),
                branchIds,
                campaign.definition().gate(),
                pairwise);
        sql.forEach("""
            SELECT case_index, trial, branch_index, status, passed, input_tokens, output_tokens, reasoning_tokens,
                   cache_read_tokens, cache_write_tokens, total_tokens, cost_usd, latency_ms
            FROM outcome WHERE campaign_id = ?\
            """, SummaryRepository::outcome, tally::add, campaign.id());
        boolean withVotes = pairwise
                || campaign.definition().judging().map(JudgePolicy::isPanel).orElse(false);
        sql.forEach("""
            SELECT case_index, trial, selected_index, fallback, decided, CASE WHEN ? THEN votes ELSE '[]' END AS votes
            FROM trial WHERE campaign_id = ?\
            """, SummaryRepository::selection, tally::add, withVotes, campaign.id());
        sql.forEach("""
            SELECT input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens
            FROM trial WHERE campaign_id = ? AND total_tokens > 0\
            """, Columns::usage, tally::addStrategyUse, campaign.id());
        sql.forEach(
                """
                SELECT input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens,
                       cost_usd
                FROM judge_call WHERE campaign_id = ?\
                """,
                row -> tally.addJudgeCall(Columns.usage(row), row.getBigDecimal("cost_usd")),
                _ -> {},
                campaign.id());
        return tally.summarize();
    }

    private static OutcomeFact outcome(ResultSet row) throws SQLException {
        return new OutcomeFact(
                row.getInt("case_index"),
                row.getInt("trial"),
                row.getInt("branch_index"),
                OutcomeStatus.valueOf(row.getString("status")),
                (Boolean) row.getObject("passed"),
                Columns.usage(row),
                row.getBigDecimal("cost_usd"),
                row.getLong("latency_ms"));
    }

    private static SelectionFact selection(ResultSet row) throws SQLException {
        return new SelectionFact(
                row.getInt("case_index"),
                row.getInt("trial"),
                (Integer) row.getObject("selected_index"),
                row.getBoolean("fallback"),
                row.getBoolean("decided"),
                Columns.json(row, "votes", ResultRows.VOTES));
    }
}
