package dev.assay.store.journal;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.Prepare;
import dev.assay.store.journal.JournalEntry.RecordGrades;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.JournalEntry.SetAside;
import dev.assay.store.sql.Sql;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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

    private static final String IN_FORCE =
            "EXISTS (SELECT 1 FROM campaign c WHERE c.campaign_id = u.campaign_id AND c.reruns = e.reruns FOR KEY"
                    + " SHARE)";

    // A re-run that opens grades again waits for the lock, or this transaction waits for the re-run.
    private static final String MAKE_ROOM = """
        DELETE FROM outcome o
        USING unnest(?::text[], ?::integer[], ?::integer[], ?::integer[]) AS e (campaign_id, ordinal, branch_index, reruns),
            ungraded_outcome u
        WHERE o.campaign_id = e.campaign_id AND o.ordinal = e.ordinal AND o.branch_index = e.branch_index
          AND o.status IN ('CANCELLED', 'BUDGET_SKIPPED')
          AND u.campaign_id = e.campaign_id AND u.ordinal = e.ordinal AND u.branch_index = e.branch_index
          AND %s\
        """.formatted(IN_FORCE);

    // One statement for many outcomes: a statement for each was half of PostgreSQL's time in a scoring.
    // The record stands in FROM: in the list of columns PostgreSQL would make it anew for each of them. What an earlier
    // build set aside lacks the columns that came later.
    private static final String RECORD = """
        WITH kept AS (
            DELETE FROM ungraded_outcome u
            USING unnest(?::text[], ?::integer[], ?::integer[], ?::integer[], ?::integer[], ?::text[], ?::text[], ?::text[], ?::text[])
                AS e (campaign_id, ordinal, branch_index, reruns, epoch, passed, score, checks, output)
            WHERE u.campaign_id = e.campaign_id AND u.ordinal = e.ordinal AND u.branch_index = e.branch_index
              AND %s
            RETURNING u.outcome, e.epoch, e.passed, e.score, e.checks, e.output)
        INSERT INTO outcome
        SELECT o.* FROM kept CROSS JOIN LATERAL jsonb_populate_record(NULL::outcome, '{"source": "LIVE", "delivery": "LIVE",
            "cost_assumed": false}'::jsonb || kept.outcome || jsonb_build_object('epoch', kept.epoch, 'passed', kept.passed::boolean,
            'score', kept.score::float8, 'checks', kept.checks::jsonb, 'output', kept.output, 'finished_at', now())) o
        ON CONFLICT (campaign_id, ordinal, branch_index) DO NOTHING
        RETURNING campaign_id, ordinal, branch_index\
        """.formatted(IN_FORCE);

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
        if (entries.isEmpty()) {
            return List.of();
        }
        Map<CellKey, RecordGrades> first = new LinkedHashMap<>();
        entries.forEach(entry -> first.putIfAbsent(cell(entry), entry));
        List<RecordGrades> all = List.copyOf(first.values());
        sql.update(MAKE_ROOM, keys(all));
        List<CellKey> cells = sql.list(
                RECORD,
                row -> new CellKey(row.getString(1), row.getInt(2), CellKind.BRANCH, row.getInt(3)),
                keys(all),
                column(all, entry -> entry.outcome().epoch()),
                column(all, entry -> text(entry.outcome().passed())),
                column(all, entry -> text(entry.outcome().score())),
                column(all, entry -> Json.write(outcome(entry).checks())),
                column(all, entry -> OutcomeWriter.output(outcome(entry))));
        Set<RecordGrades> written = Collections.newSetFromMap(new IdentityHashMap<>());
        cells.forEach(cell -> written.add(requireNonNull(first.get(cell))));
        OutcomeWriter.count(sql, written.stream().map(RecordGrades::outcome).toList());
        return entries.stream()
                .map(entry -> written.contains(entry) ? WriteResult.GRANTED : WriteResult.STALE)
                .toList();
    }

    private static Outcome outcome(RecordGrades entry) {
        return entry.outcome().outcome();
    }

    private static CellKey cell(RecordGrades entry) {
        return new CellKey(
                entry.outcome().campaignId(),
                outcome(entry).ordinal(),
                CellKind.BRANCH,
                outcome(entry).branchIndex());
    }

    private static @Nullable Object[] keys(List<RecordGrades> entries) {
        return Sql.row(
                column(entries, entry -> entry.outcome().campaignId()),
                column(entries, entry -> outcome(entry).ordinal()),
                column(entries, entry -> outcome(entry).branchIndex()),
                column(entries, RecordGrades::reruns));
    }

    private static List<@Nullable Object> column(
            List<RecordGrades> entries, Function<RecordGrades, @Nullable Object> value) {
        List<@Nullable Object> column = new ArrayList<>(entries.size());
        entries.forEach(entry -> column.add(value.apply(entry)));
        return column;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static @Nullable Object[] key(RecordOutcome entry) {
        return Sql.row(
                entry.campaignId(), entry.outcome().ordinal(), entry.outcome().branchIndex());
    }
}
