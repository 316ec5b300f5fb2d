package dev.assay.store.journal;

import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.journal.JournalEntry.Prepare;
import dev.assay.store.journal.JournalEntry.RecordGrades;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.JournalEntry.SetAside;
import dev.assay.store.sql.Sql;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sets outcomes aside until their checks are graded, and then records them. Counters leave them out until then. */
final class GradedOutcomes {

    // The first answer stands: another worker may have been slower with its own.
    private static final String SET_ASIDE = """
        WITH gone AS (
            DELETE FROM outcome o WHERE o.campaign_id = ? AND o.ordinal = ? AND o.branch_index = ? RETURNING o.*)
        INSERT INTO ungraded_outcome (campaign_id, ordinal, branch_index, outcome)
        SELECT campaign_id, ordinal, branch_index, to_jsonb(gone) FROM gone
        ON CONFLICT (campaign_id, ordinal, branch_index) DO NOTHING\
        """;

    // A re-run that opens grades again waits for the lock, or this transaction waits for the re-run.
    private static final String MAKE_ROOM = """
        DELETE FROM outcome o USING ungraded_outcome u
        WHERE o.campaign_id = ? AND o.ordinal = ? AND o.branch_index = ? AND o.status IN ('CANCELLED', 'BUDGET_SKIPPED')
          AND u.campaign_id = o.campaign_id AND u.ordinal = o.ordinal AND u.branch_index = o.branch_index
          AND EXISTS (SELECT 1 FROM campaign c WHERE c.campaign_id = o.campaign_id AND c.reruns = ? FOR KEY SHARE)\
        """;

    // The record stands in FROM: in the list of columns PostgreSQL would make it anew for each of them. What an earlier
    // build set aside lacks the columns that came later.
    private static final String RECORD = """
        WITH kept AS (
            DELETE FROM ungraded_outcome u
            WHERE u.campaign_id = ? AND u.ordinal = ? AND u.branch_index = ?
              AND EXISTS (SELECT 1 FROM campaign c WHERE c.campaign_id = u.campaign_id AND c.reruns = ? FOR KEY SHARE)
            RETURNING u.outcome)
        INSERT INTO outcome
        SELECT o.* FROM kept CROSS JOIN LATERAL jsonb_populate_record(NULL::outcome, '{"source": "LIVE", "delivery": "LIVE",
            "cost_assumed": false}'::jsonb || kept.outcome || jsonb_build_object('epoch', ?::integer, 'passed', ?::boolean, 'score', ?::float8, 'checks', ?::jsonb, 'output', ?::text,
            'finished_at', now())) o
        ON CONFLICT (campaign_id, ordinal, branch_index) DO NOTHING\
        """;

    private static final String PREPARE = """
        UPDATE ungraded_outcome u
        SET prepared = ?::jsonb,
            outcome = u.outcome || jsonb_build_object('checks', ?::jsonb, 'output', ?::text)
        WHERE u.campaign_id = ? AND u.ordinal = ? AND u.branch_index = ?
          AND EXISTS (SELECT 1 FROM campaign c WHERE c.campaign_id = u.campaign_id AND c.reruns = ? FOR KEY SHARE)\
        """;

    private GradedOutcomes() {}

    /** Writes what own code left for the graders of outcomes that still wait. */
    static void prepare(Sql sql, List<Prepare> entries) {
        sql.batch(
                PREPARE,
                entries,
                entry -> Sql.row(
                        Json.write(entry.prepared()),
                        Json.write(entry.outcome().checks()),
                        OutcomeWriter.output(entry.outcome()),
                        entry.campaignId(),
                        entry.outcome().ordinal(),
                        entry.outcome().branchIndex(),
                        entry.reruns()));
    }

    static void setAside(Sql sql, List<SetAside> entries) {
        List<RecordOutcome> outcomes = entries.stream().map(SetAside::outcome).toList();
        List<RecordOutcome> written = OutcomeWriter.insert(sql, outcomes);
        sql.batch(SET_ASIDE, written, GradedOutcomes::key);
        TurnWriter.forget(sql, outcomes);
    }

    /** Writes and counts those that still wait. The answer for each is GRANTED, or STALE when it no longer waits. */
    static List<WriteResult> write(Sql sql, List<RecordGrades> entries) {
        sql.batch(MAKE_ROOM, entries, entry -> Sql.row(key(entry.outcome()), entry.reruns()));
        Set<RecordGrades> written = Collections.newSetFromMap(new IdentityHashMap<>());
        written.addAll(sql.changed(RECORD, entries, GradedOutcomes::columns));
        OutcomeWriter.count(sql, written.stream().map(RecordGrades::outcome).toList());
        return entries.stream()
                .map(entry -> written.contains(entry) ? WriteResult.GRANTED : WriteResult.STALE)
                .toList();
    }

    private static @Nullable Object[] key(RecordOutcome entry) {
        return Sql.row(
                entry.campaignId(), entry.outcome().ordinal(), entry.outcome().branchIndex());
    }

    private static @Nullable Object[] columns(RecordGrades entry) {
        RecordOutcome graded = entry.outcome();
        Outcome outcome = graded.outcome();
        List<CheckResult> checks = outcome.checks();
        return Sql.row(
                key(graded),
                entry.reruns(),
                graded.epoch(),
                graded.passed(),
                graded.score(),
                Json.write(checks),
                OutcomeWriter.output(outcome));
    }
}
