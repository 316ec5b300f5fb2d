package dev.assay.store.result;

import dev.assay.domain.check.CheckScore;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.report.fact.CellGroup;
import dev.assay.domain.report.fact.SelectionGroup;
import dev.assay.domain.text.WhiteSpace;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.Usage;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import dev.assay.store.sql.TokenColumns;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what is added up of a campaign: groups of rows, a few bytes for each cell. The caller reads all in one transaction. */
@Singleton
public class SummaryRepository {

    /** The number of trials in memory at once: a few bytes for each branch's outcome. */
    private static final int AT_ONCE = 500_000;

    private static final String CELLS = """
        SELECT branch_index, trial, passed, CASE WHEN status = 'LIMIT' THEN response ELSE '' END AS response,
               CASE WHEN status IN ('MODEL_ERROR', 'TIMED_OUT') THEN error_code END AS error_code, ended,
               string_agg(int4send(case_index), '') AS cases, string_agg(int8send(CASE WHEN delivery = 'LIVE' THEN latency_ms ELSE -1 END), '') AS latencies,
               sum(cost_usd) AS cost_usd, count(*) FILTER (WHERE delivery = 'BATCH') AS batched,
               sum(cost_usd) FILTER (WHERE delivery = 'BATCH') AS batched_usd, bool_or(cost_assumed) AS cost_assumed,
               %s, %s AS unknown_usage, %s AS unpriced
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

    private static final String JUDGE_CALLS = """
        SELECT input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens,
               cost_usd, status, CASE WHEN graded_branch IS NULL THEN compaction END AS compaction, delivery, cost_assumed
        FROM judge_call WHERE campaign_id = ?\
        """;

    private final Sql sql;

    SummaryRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * The score of an outcome.
     *
     * @param value 0–1; null: a check that counts has none
     */
    public record CellScore(
            int branchIndex,
            int caseIndex,
            int trial,
            @Nullable Double value) {}

    /**
     * What a judge call used.
     *
     * @param compaction what was cut of the texts that the judge read; null: a grader was asked
     */
    public record JudgeUse(Spend spend, @Nullable Compaction compaction) {}

    /**
     * The outcomes, in groups of equal ones. A row for each of a million cells takes Java five times as long. PostgreSQL reads the
     * table once, with several processes, which it does only where all rows are asked for at once.
     */
    @ReadOnly
    public void cells(StoredCampaign campaign, Consumer<CellGroup> consumer) {
        // Groups are kept in memory instead of in files; only in this transaction.
        sql.update("SET LOCAL work_mem = '64MB'");
        int trials = campaign.grid().size();
        for (int from = 0; from < trials; from += AT_ONCE) {
            int until = trials - from <= AT_ONCE ? Integer.MAX_VALUE : from + AT_ONCE;
            sql.list(CELLS, SummaryRepository::cells, campaign.id(), from, until)
                    .forEach(consumer);
        }
    }

    /** The scores of the outcomes that were checked. */
    @ReadOnly
    public void scores(String campaignId, Consumer<CellScore> consumer) {
        sql.forEach(SCORES, SummaryRepository::score, consumer, campaignId);
    }

    /**
     * The selections, in groups of equal ones.
     *
     * @param countsAll whether those of trials that lack a branch are decisions, too
     */
    @ReadOnly
    public void selections(String campaignId, boolean countsAll, Consumer<SelectionGroup> consumer) {
        sql.list(SELECTIONS, SummaryRepository::selections, countsAll, campaignId)
                .forEach(consumer);
    }

    /** The votes of judges, with the index of the case. */
    @ReadOnly
    public void votes(String campaignId, BiConsumer<Integer, List<JudgeVote>> consumer) {
        sql.forEach(
                "SELECT case_index, votes FROM trial WHERE campaign_id = ? AND votes <> '[]'",
                row -> Map.entry(row.getInt("case_index"), Columns.json(row, "votes", ResultRows.VOTES)),
                votes -> consumer.accept(votes.getKey(), votes.getValue()),
                campaignId);
    }

    /** The usage that custom strategies reported for themselves. */
    @ReadOnly
    public void strategyUse(String campaignId, Consumer<Usage> consumer) {
        sql.forEach(STRATEGY_USE, Columns::usage, consumer, campaignId);
    }

    /** The calls of judges and graders. */
    @ReadOnly
    public void judgeCalls(String campaignId, Consumer<JudgeUse> consumer) {
        sql.forEach(JUDGE_CALLS, SummaryRepository::judgeUse, consumer, campaignId);
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
                new Spend(
                        Columns.usageTotal(row), row.getBigDecimal("cost_usd"), row.getInt("unpriced"), batched(row)));
    }

    private static Spend.@Nullable Batched batched(ResultSet row) throws SQLException {
        long cells = row.getLong("batched");
        return cells == 0
                ? null
                : new Spend.Batched(cells, 0, row.getBigDecimal("batched_usd"), row.getBoolean("cost_assumed"));
    }

    private static JudgeUse judgeUse(ResultSet row) throws SQLException {
        String compaction = row.getString("compaction");
        Spend spend = Spend.of(Columns.usageOfAnswer(row), row.getBigDecimal("cost_usd"));
        return new JudgeUse(
                row.getString("delivery").equals("BATCH") ? spend.byBatch(row.getBoolean("cost_assumed")) : spend,
                compaction == null ? null : Json.read(compaction, Compaction.class));
    }

    private static CellScore score(ResultSet row) throws SQLException {
        return new CellScore(row.getInt("branch_index"), row.getInt("case_index"), row.getInt("trial"), value(row));
    }

    /** The score of a row. A build that recorded no score recorded the results of checks. */
    private static @Nullable Double value(ResultSet row) throws SQLException {
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
