package dev.assay.store.scoring;

import dev.assay.domain.evaluator.EvaluatorSet;
import dev.assay.domain.evaluator.UsedEvaluator;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.scoring.ScoredFlip;
import dev.assay.domain.scoring.UnscoredReason;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.ListReader;
import dev.assay.store.sql.ListReader.ListQuery;
import dev.assay.store.sql.Octets;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The cells of a scoring: what was said of each answer before, and what is said now. */
@Singleton
public class ScoredCells {

    private static final String CELLS = """
        SELECT o.ordinal, o.branch_index, o.passed_before, o.passed, o.error_code,\
        """ + " " + OutcomeColumns.STATUS + " FROM outcome o WHERE o.campaign_id = ?";

    /** The objects in a list of results that have a status, members of groups among them. */
    private static final String RESULTS = "jsonb_path_query(o.checks, 'strict $.** ? (exists(@.status))')";

    private static final String UNSCORED = """
        SELECT c.reason, count(*)::integer AS cells
        FROM (SELECT DISTINCT o.ordinal, o.branch_index, r.found ->> 'reason' AS reason
              FROM outcome o CROSS JOIN LATERAL %s AS r (found)
              WHERE o.campaign_id = ? AND r.found ->> 'status' = 'UNSCORED' AND r.found ->> 'type' <> 'group') c
        WHERE c.reason IS NOT NULL GROUP BY c.reason ORDER BY 2 DESC, c.reason COLLATE "C" LIMIT ?\
        """.formatted(RESULTS);

    private static final String BEFORE = """
        SELECT u.hash, count(*)::integer AS cells, e.kind, e.definition ->> 'code' AS code
        FROM outcome o CROSS JOIN LATERAL unnest(o.evaluators_before) AS u (hash)
        LEFT JOIN evaluator e ON e.evaluator_hash = u.hash
        WHERE o.campaign_id = ? GROUP BY u.hash, e.kind, e.definition ->> 'code'
        ORDER BY 2 DESC, u.hash COLLATE "C" NULLS LAST\
        """;

    private static final String AFTER = """
         AND (NOT o.passed_before, k.case_id COLLATE "C", b.branch_id COLLATE "C", o.trial) > (?, ?, ?, ?)\
        """;

    private final Sql sql;
    private final ListReader lists;

    ScoredCells(Sql sql, ListReader lists) {
        this.sql = sql;
        this.lists = lists;
    }

    /**
     * A cell.
     *
     * @param passedBefore in the campaign whose answers are scored; null: no evidence there
     */
    public record Cell(
            int ordinal,
            int branchIndex,
            OutcomeStatus status,
            @Nullable Boolean passedBefore,
            @Nullable Boolean passed,
            TrialVerdict before,
            TrialVerdict after) {}

    /** What calls of graders and judges came to. */
    public record Calls(long count, @Nullable BigDecimal costUsd) {}

    /** Hands over all cells of a scoring that have their verdict. */
    @ReadOnly
    public void each(String scoringId, Consumer<Cell> reader) {
        sql.forEach(
                CELLS,
                row -> {
                    OutcomeStatus status = OutcomeStatus.valueOf(row.getString("status"));
                    Boolean before = Columns.booleanOrNull(row, "passed_before");
                    Boolean after = Columns.booleanOrNull(row, "passed");
                    return new Cell(
                            row.getInt("ordinal"),
                            row.getInt("branch_index"),
                            status,
                            before,
                            after,
                            TrialVerdict.ofStored(status, before, Columns.errorCode(row)),
                            TrialVerdict.ofStored(status, after, Columns.errorCode(row)));
                },
                reader,
                scoringId);
    }

    /** Why checks of a scoring did not decide, the reason of most cells first. */
    @ReadOnly
    public List<UnscoredReason> unscored(String scoringId) {
        return sql.list(
                UNSCORED,
                row -> new UnscoredReason(row.getString("reason"), row.getInt("cells")),
                scoringId,
                UnscoredReason.MOST);
    }

    /** Who gave the verdicts before. */
    @ReadOnly
    public EvaluatorSet before(String scoringId) {
        List<UsedEvaluator> all = sql.list(
                BEFORE,
                row -> new UsedEvaluator(
                        row.getString("hash"), row.getString("kind"), row.getString("code"), row.getInt("cells")),
                scoringId);
        return EvaluatorSet.of(all);
    }

    /** The calls of graders and judges of a scoring that were recorded. */
    @ReadOnly
    public Calls calls(String scoringId) {
        return sql.first(
                        "SELECT count(*) AS calls, sum(cost_usd) AS cost FROM judge_call WHERE campaign_id = ?",
                        row -> new Calls(row.getLong("calls"), row.getBigDecimal("cost")),
                        scoringId)
                .orElseThrow();
    }

    /** Answers of a scoring that wait for their verdict. */
    @ReadOnly
    public int waiting(String scoringId) {
        return sql.first(
                        "SELECT count(*)::integer FROM ungraded_outcome WHERE campaign_id = ?",
                        row -> row.getInt(1),
                        scoringId)
                .orElseThrow();
    }

    /** The verdict of the campaign that is scored; empty when it has none, or is deleted. */
    @ReadOnly
    public Optional<Verdict> verdict(String campaignId) {
        return sql.first(
                "SELECT verdict FROM campaign WHERE campaign_id = ? AND verdict IS NOT NULL",
                row -> Verdict.valueOf(row.getString("verdict")),
                campaignId);
    }

    /** The answers of which the scoring says something else: those that passed before first, then by case, branch and trial. */
    public Page<ScoredFlip> flips(String scoringId, PageRequest request) {
        return lists.page(
                request,
                () -> flips(scoringId, request.token()),
                last -> PageToken.of(last.before() ? 0 : 1, last.caseId(), last.branchId(), last.trial()));
    }

    private static ListQuery<ScoredFlip> flips(String scoringId, @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(scoringId));
        String after = "";
        if (pageToken != null) {
            PageToken token = PageToken.parse(pageToken, 4);
            after = AFTER;
            parameters.addAll(List.of(
                    token.integer(0) == 1, token.keys().get(1), token.keys().get(2), token.integer(3)));
        }
        String page = """
             FROM (
                SELECT o.*, k.case_id, b.branch_id
                FROM outcome o
                JOIN campaign c ON c.campaign_id = o.campaign_id
                JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = o.case_index
                JOIN campaign_branch b ON b.campaign_id = o.campaign_id AND b.branch_index = o.branch_index
                WHERE o.campaign_id = ? AND o.passed_before <> o.passed\
            """ + after + """

                ORDER BY NOT o.passed_before, k.case_id COLLATE "C", b.branch_id COLLATE "C", o.trial LIMIT ?) o
            ORDER BY NOT o.passed_before, o.case_id COLLATE "C", o.branch_id COLLATE "C", o.trial\
            """;
        return new ListQuery<>(
                "SELECT " + Octets.ofValues("o.checks") + " AS octets" + page,
                "SELECT o.case_id, o.branch_id, o.trial, o.passed_before, o.passed, o.checks" + page,
                row -> ScoredFlip.of(
                        row.getString("case_id"),
                        row.getString("branch_id"),
                        row.getInt("trial"),
                        row.getBoolean("passed"),
                        Columns.json(row, "checks", OutcomeColumns.CHECKS)),
                parameters);
    }
}
