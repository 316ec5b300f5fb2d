package dev.assay.store.steering;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.steering.Rerun;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.sql.Sql;
import dev.assay.store.suite.CaseRepository;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens finished cells again: outcomes, judge calls and selections move to {@code replaced_result}, their cells go. */
@Singleton
class RerunCells {

    private static final String REPLACE_OUTCOMES = """
        WITH gone AS (
            DELETE FROM outcome o
            WHERE o.campaign_id = ? AND o.passed IS NOT TRUE
              AND (? AND o.status = 'COMPLETED' AND o.passed IS FALSE
                   OR ? AND o.status IN ('MODEL_ERROR', 'TIMED_OUT', 'LIMIT'))
              AND (?::integer[] IS NULL OR o.case_index = ANY (?::integer[]))
              AND (?::integer[] IS NULL OR o.branch_index = ANY (?::integer[]))
            RETURNING o.*)
        INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
        SELECT campaign_id, ?, 'outcome', ordinal, branch_index, to_jsonb(gone) FROM gone\
        """;

    // What was asked about outcomes that are gone, and where it is wanted, what failed by itself.
    private static final String REPLACE_JUDGE_CALLS = """
        WITH gone AS (
            DELETE FROM judge_call j
            WHERE j.campaign_id = ?
              AND (j.ordinal IN (SELECT r.ordinal FROM replaced_result r WHERE r.campaign_id = ? AND r.rerun = ?)
                   OR ? AND j.status IN ('MODEL_ERROR', 'TIMED_OUT', 'LIMIT')
                      AND (?::integer[] IS NULL OR j.ordinal % ? = ANY (?::integer[])))
            RETURNING j.*)
        INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
        SELECT campaign_id, ?, 'judge_call', ordinal, member, to_jsonb(gone) FROM gone\
        """;

    private static final String REPLACE_SELECTIONS = """
        WITH gone AS (
            DELETE FROM trial t
            WHERE t.campaign_id = ?
              AND t.ordinal IN (SELECT r.ordinal FROM replaced_result r WHERE r.campaign_id = ? AND r.rerun = ?)
            RETURNING t.*)
        INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
        SELECT campaign_id, ?, 'trial', ordinal, 0, to_jsonb(gone) FROM gone\
        """;

    // A missing row is an open cell. A judge call that is under way loses its cell, and with it the right to be
    // recorded.
    private static final String OPEN_CELLS = """
        DELETE FROM cell c USING replaced_result r
        WHERE r.campaign_id = ? AND r.rerun = ? AND c.campaign_id = r.campaign_id AND c.ordinal = r.ordinal
          AND (c.kind = 'judge' OR r.kind = 'outcome' AND c.member = r.member)\
        """;

    // A loop that failed for good may have left turns behind; the new one starts from nothing.
    private static final String FORGET_TURNS = """
        DELETE FROM turn t USING replaced_result r
        WHERE r.campaign_id = ? AND r.rerun = ? AND r.kind = 'outcome'
          AND t.campaign_id = r.campaign_id AND t.ordinal = r.ordinal AND t.branch_index = r.member\
        """;

    private final Sql sql;
    private final CaseRepository cases;
    private final ProgressRepository progress;

    RerunCells(Sql sql, CaseRepository cases, ProgressRepository progress) {
        this.sql = sql;
        this.cases = cases;
        this.progress = progress;
    }

    /**
     * Opens the cells that {@code rerun} names. The caller holds the campaign's row.
     *
     * @return whether there were any
     * @throws AssayException INVALID_INPUT with every case and branch that the campaign does not have
     */
    boolean open(StoredCampaign campaign, Rerun rerun) {
        List<FieldError> unknown = new ArrayList<>();
        List<Integer> caseIndexes = indexes("cases", rerun.cases(), cases.caseIds(campaign.suiteId()), unknown);
        List<String> branchIds =
                campaign.definition().branches().stream().map(Branch::id).toList();
        List<Integer> branchIndexes = indexes("branches", rerun.branches(), branchIds, unknown);
        if (!unknown.isEmpty()) {
            throw AssayException.invalid("The re-run names what campaign " + campaign.id() + " does not have", unknown);
        }
        String id = campaign.id();
        int number = campaign.reruns() + 1;
        boolean failed = rerun.only().failed();
        boolean errored = rerun.only().errored();
        int replaced = sql.update(
                        REPLACE_OUTCOMES,
                        id,
                        failed,
                        errored,
                        caseIndexes,
                        caseIndexes,
                        branchIndexes,
                        branchIndexes,
                        number)
                + sql.update(
                        REPLACE_JUDGE_CALLS,
                        id,
                        id,
                        number,
                        errored && branchIndexes == null,
                        caseIndexes,
                        campaign.caseCount(),
                        caseIndexes,
                        number);
        if (replaced == 0) {
            return false;
        }
        sql.update(REPLACE_SELECTIONS, id, id, number, number);
        sql.update(OPEN_CELLS, id, number);
        sql.update(FORGET_TURNS, id, number);
        sql.update("UPDATE campaign SET reruns = ? WHERE campaign_id = ?", number, id);
        progress.recount(id);
        return true;
    }

    /** The places of {@code wanted} in {@code known}; null when none is wanted: then all are. */
    private static @Nullable List<Integer> indexes(
            String field, List<String> wanted, List<String> known, List<FieldError> unknown) {
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            int index = known.indexOf(wanted.get(i));
            if (index < 0) {
                String path = field + "[" + i + "]";
                unknown.add(new FieldError(path, "The campaign has no `" + wanted.get(i) + "` among its " + field));
            }
            indexes.add(index);
        }
        return wanted.isEmpty() ? null : indexes;
    }
}
