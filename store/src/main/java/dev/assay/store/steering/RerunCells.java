package dev.assay.store.steering;

import dev.assay.domain.grading.GradeSlot;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.steering.Rerun;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.matrix.MatrixWriter;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;

/** Opens finished cells again: outcomes, judge calls and selections move to {@code replaced_result}, their cells go. */
@Singleton
public class RerunCells {

    /** Whether something of the trial of row {@code of} is out with a provider: such trials stay as they are. */
    private static String isOut(String of) {
        return """
            EXISTS (SELECT 1 FROM provider_batch_item i
                    WHERE i.campaign_id = %1$s.campaign_id AND i.ordinal = %1$s.ordinal AND i.state = 'OUT')\
            """.formatted(of);
    }

    private static final String REPLACE_OUTCOMES = """
        WITH gone AS (
            DELETE FROM outcome o
            WHERE o.campaign_id = ? AND o.status = ANY (?) AND NOT %s
              AND (o.passed IS FALSE OR o.passed IS NULL AND o.status <> 'COMPLETED')
              AND (?::integer[] IS NULL OR o.case_index = ANY (?::integer[]))
              AND (?::integer[] IS NULL OR o.branch_index = ANY (?::integer[]))
            RETURNING o.*)
        INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
        SELECT campaign_id, ?, 'outcome', ordinal, branch_index, to_jsonb(gone) FROM gone\
        """.formatted(isOut("o"));

    // All that branches came to, passed or not, and their answers that wait for grades. What was skipped or not needed
    // was
    // never asked; a new epoch opens it. A branch of which the last such re-run is under way has been opened already.
    private static final String REPLACE_WHOLE = """
        WITH covered AS (
            SELECT b.branch_index FROM campaign_branch b
            WHERE b.campaign_id = ? AND (?::integer[] IS NULL OR b.branch_index = ANY (?::integer[]))
              AND NOT (? AND EXISTS (
                  SELECT 1 FROM replaced_result r
                  WHERE r.campaign_id = b.campaign_id AND r.kind = 'outcome' AND r.member = b.branch_index
                    AND r.rerun = (SELECT max(w.rerun) FROM whole_rerun w
                                   WHERE w.campaign_id = b.campaign_id AND w.branch_index = b.branch_index)
                    AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.campaign_id = r.campaign_id
                                    AND o.ordinal = r.ordinal AND o.branch_index = r.member)))),
        gone AS (
            DELETE FROM outcome o USING covered b
            WHERE o.campaign_id = ? AND o.branch_index = b.branch_index AND NOT %s
              AND (o.status NOT IN ('CANCELLED', 'BUDGET_SKIPPED') OR EXISTS (
                  SELECT 1 FROM ungraded_outcome u
                  WHERE u.campaign_id = o.campaign_id AND u.ordinal = o.ordinal AND u.branch_index = o.branch_index))
            RETURNING o.*),
        waiting AS (
            DELETE FROM ungraded_outcome u USING covered b
            WHERE u.campaign_id = ? AND u.branch_index = b.branch_index AND NOT %s RETURNING u.*),
        moved AS (
            INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
            SELECT DISTINCT ON (ordinal, branch_index) campaign_id, ?::integer, 'outcome', ordinal, branch_index, result
            FROM (SELECT campaign_id, ordinal, branch_index, to_jsonb(gone) AS result, 2 AS place FROM gone
                  UNION ALL SELECT campaign_id, ordinal, branch_index, outcome, 1 FROM waiting) AS found
            ORDER BY ordinal, branch_index, place
            RETURNING member)
        INSERT INTO whole_rerun (campaign_id, rerun, branch_index)
        SELECT ?, ?, b.branch_index FROM covered b
        WHERE b.branch_index IN (SELECT member FROM moved)
           OR EXISTS (SELECT 1 FROM replaced_result r
                      WHERE r.campaign_id = ? AND r.kind = 'outcome' AND r.member = b.branch_index
                        AND r.rerun > coalesce((SELECT max(w.rerun) FROM whole_rerun w
                                                WHERE w.campaign_id = r.campaign_id AND w.branch_index = r.member), 0))\
        """.formatted(isOut("o"), isOut("u"));

    // Outcomes that did not pass and that models or own code decided, or whose answer own code transforms.
    // Their answers stay, and wait for that once more.
    private static final String REPLACE_GRADED = """
        WITH gone AS (
            DELETE FROM outcome o
            WHERE o.campaign_id = ? AND o.passed IS NOT TRUE AND NOT %s
              AND (jsonb_path_exists(o.checks, '$.** ? (@.status != "PASSED"
                      && (exists (@.grade) || @.type == "python" || @.type == "javascript" || @.type == "program"
                          || @.type == "transform"))')
                  OR o.status IN ('COMPLETED', 'LIMIT') AND EXISTS (
                      SELECT 1 FROM campaign c JOIN suite_case k ON k.suite_id = c.suite_id
                      WHERE c.campaign_id = o.campaign_id AND k.case_index = o.case_index
                        AND (k.transform IS NOT NULL OR jsonb_path_exists(k.checks, '$.**.transform')
                             OR c.definition #> ARRAY['branches', o.branch_index::text, 'transform'] IS NOT NULL)))
              AND (?::integer[] IS NULL OR o.case_index = ANY (?::integer[]))
              AND (?::integer[] IS NULL OR o.branch_index = ANY (?::integer[]))
            RETURNING o.*),
        kept AS (
            INSERT INTO ungraded_outcome (campaign_id, ordinal, branch_index, outcome)
            SELECT campaign_id, ordinal, branch_index, to_jsonb(gone) FROM gone)
        INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
        SELECT campaign_id, ?, 'outcome', ordinal, branch_index, to_jsonb(gone) || '{"graded_again": true}' FROM gone\
        """.formatted(isOut("o"));

    // Of these, the grades that did not pass; the call after the first one asked for a repair. What a strategy asked
    // may depend on them.
    private static final String REPLACE_GRADES = """
        WITH again AS (
            SELECT r.ordinal, (jsonb_path_query(r.result -> 'checks',
                '$.** ? (@.status != "PASSED" && exists (@.grade)).grade.call'))::integer AS member
            FROM replaced_result r WHERE r.campaign_id = ? AND r.rerun = ? AND r.kind = 'outcome'),
        gone AS (
            DELETE FROM judge_call j
            WHERE j.campaign_id = ? AND EXISTS (
                SELECT 1 FROM again a
                WHERE a.ordinal = j.ordinal AND (j.member IN (a.member, a.member + 1) OR j.model IS NOT NULL))
            RETURNING j.*)
        INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
        SELECT campaign_id, ?, 'judge_call', ordinal, member, to_jsonb(gone) FROM gone\
        """;

    // Calls about outcomes that are gone. Where the re-run asks for it, also calls that failed by themselves, and later
    // asks of strategies.
    private static final String REPLACE_JUDGE_CALLS = """
        WITH gone AS (
            DELETE FROM judge_call j
            WHERE j.campaign_id = ? AND NOT %s
              AND (EXISTS (SELECT 1 FROM replaced_result r
                           WHERE r.campaign_id = ? AND r.rerun = ? AND r.ordinal = j.ordinal
                             AND (j.graded_branch IS NULL OR j.graded_branch = r.member))
                   OR j.graded_branch IS NULL AND (j.status = ANY (?) OR j.model IS NOT NULL AND EXISTS (
                           SELECT 1 FROM judge_call f
                           WHERE f.campaign_id = j.campaign_id AND f.ordinal = j.ordinal AND f.member < j.member
                             AND f.status = ANY (?)))
                       AND (?::integer[] IS NULL OR mod(j.ordinal, ?) = ANY (?::integer[])))
            RETURNING j.*)
        INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
        SELECT campaign_id, ?, 'judge_call', ordinal, member, to_jsonb(gone) FROM gone\
        """.formatted(isOut("j"));

    private static final String REPLACE_SELECTIONS = """
        WITH gone AS (
            DELETE FROM trial t
            WHERE t.campaign_id = ?
              AND t.ordinal IN (SELECT r.ordinal FROM replaced_result r WHERE r.campaign_id = ? AND r.rerun = ?)
            RETURNING t.*)
        INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
        SELECT campaign_id, ?, 'trial', ordinal, 0, to_jsonb(gone) FROM gone\
        """;

    // A missing row is an open cell. A judge's or grader's call in flight loses its cell, and with it the right to be
    // recorded. An answer that waits for grades once more is not made again.
    private static final String OPEN_CELLS = """
        DELETE FROM cell c USING replaced_result r
        WHERE r.campaign_id = ? AND r.rerun = ? AND c.campaign_id = r.campaign_id AND c.ordinal = r.ordinal
          AND (c.kind = 'strategy' OR c.kind = 'judge' AND NOT ?
               OR c.kind = 'grade' AND r.kind = 'judge_call' AND c.member = r.member
               OR c.kind = 'grade' AND r.kind = 'outcome' AND (c.member - %d) / 2 / %d = r.member AND NOT ?
               OR c.kind = 'branch' AND r.kind = 'outcome' AND c.member = r.member AND NOT ?)\
        """.formatted(GradeSlot.FIRST, GradeSlot.MOST_CHECKS);

    // A loop that failed for good may have left turns behind; the new one starts from the beginning.
    private static final String FORGET_TURNS = """
        DELETE FROM turn t USING replaced_result r
        WHERE r.campaign_id = ? AND r.rerun = ? AND r.kind = 'outcome'
          AND t.campaign_id = r.campaign_id AND t.ordinal = r.ordinal AND t.branch_index = r.member\
        """;

    private final Sql sql;
    private final ProgressRepository progress;

    RerunCells(Sql sql, ProgressRepository progress) {
        this.sql = sql;
        this.progress = progress;
    }

    /**
     * Opens cells of a campaign. The caller's transaction holds the campaign's row.
     *
     * @param cells those that {@code rerun} names
     * @param reopensSkipped whether cells that were skipped or not needed are open again, as soon as no other is
     * @return whether there were any
     */
    @Transactional
    public boolean open(StoredCampaign campaign, Rerun rerun, Rerun.Cells cells, boolean reopensSkipped) {
        String id = campaign.id();
        int number = campaign.reruns() + 1;
        boolean keepsAnswers = rerun.only() == Rerun.Only.GRADES;
        int replaced = rerun.whole()
                ? openWhole(campaign, cells, number)
                : keepsAnswers ? openGrades(id, cells, number) : openUnpassed(campaign, cells, number);
        if (replaced == 0) {
            return false;
        }
        sql.update(REPLACE_SELECTIONS, id, id, number, number);
        sql.update(OPEN_CELLS, id, number, keepsAnswers, keepsAnswers, keepsAnswers);
        sql.update(FORGET_TURNS, id, number);
        MatrixWriter.reopen(sql, id, number);
        sql.update(
                "UPDATE campaign SET reruns = ?, reopens_skipped = reopens_skipped OR ? WHERE campaign_id = ?",
                number,
                reopensSkipped,
                id);
        progress.recount(id);
        return true;
    }

    private int openGrades(String id, Rerun.Cells cells, int number) {
        int replaced = sql.update(
                REPLACE_GRADED, id, cells.cases(), cells.cases(), cells.branches(), cells.branches(), number);
        sql.update(REPLACE_GRADES, id, number, id, number);
        return replaced;
    }

    private int openWhole(StoredCampaign campaign, Rerun.Cells cells, int number) {
        String id = campaign.id();
        List<Integer> branches = cells.branches();
        boolean isUnderWay = !campaign.state().ended();
        int covered = sql.update(REPLACE_WHOLE, id, branches, branches, isUnderWay, id, id, number, id, number, id);
        return covered == 0 ? 0 : covered + replaceJudgeCalls(campaign, cells, number);
    }

    private int openUnpassed(StoredCampaign campaign, Rerun.Cells cells, int number) {
        int outcomes = sql.update(
                REPLACE_OUTCOMES,
                campaign.id(),
                names(cells.outcomes()),
                cells.cases(),
                cells.cases(),
                cells.branches(),
                cells.branches(),
                number);
        return outcomes + replaceJudgeCalls(campaign, cells, number);
    }

    private int replaceJudgeCalls(StoredCampaign campaign, Rerun.Cells cells, int number) {
        String id = campaign.id();
        return sql.update(
                REPLACE_JUDGE_CALLS,
                id,
                id,
                number,
                names(cells.judgeCalls()),
                names(cells.judgeCalls()),
                cells.cases(),
                campaign.caseCount(),
                cells.cases(),
                number);
    }

    private static List<String> names(Set<OutcomeStatus> statuses) {
        return statuses.stream().map(OutcomeStatus::name).toList();
    }
}
