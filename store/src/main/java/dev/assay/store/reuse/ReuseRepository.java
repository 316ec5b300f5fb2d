package dev.assay.store.reuse;

import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.draw.RequestName;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks for stored answers to the requests of a campaign. */
@Singleton
public class ReuseRepository {

    /** Candidates among which the latest is chosen: re-runs may have made the draw that counts older than its cell. */
    private static final int MOST = 20;

    // An answer of the campaign itself is no candidate.
    private static final String CANDIDATES = """
        SELECT (n.place - 1)::integer AS place, f.*
        FROM unnest(?::text[], ?::integer[], ?::integer[]) WITH ORDINALITY AS n (request_key, request_rank, trial, place)
        CROSS JOIN LATERAL (
            SELECT o.campaign_id, o.ordinal, o.branch_index, o.source, o.status, o.answered_at, c.reruns
            FROM outcome o JOIN campaign c USING (campaign_id)
            WHERE o.request_key = n.request_key AND o.request_rank = n.request_rank AND coalesce(o.origin_trial, o.trial) = n.trial
              AND o.campaign_id <> ? AND o.source IN ('LIVE', 'REUSED') AND c.deleted_at IS NULL%s
            ORDER BY o.answered_at DESC, (o.source <> 'LIVE'), o.campaign_id LIMIT %d) f\
        """;

    private static final String OF_ANY = CANDIDATES.formatted("", MOST);
    private static final String OF_NAMED = CANDIDATES.formatted(" AND o.campaign_id = ANY (?::text[])", MOST);

    /** Of a cell that was asked again the draw that counts: the oldest one with a verdict since its whole branch was asked again. */
    private static final String COUNTING = """
        SELECT r.rerun, r.result ->> 'status' AS status, (r.result ->> 'answered_at')::timestamptz AS answered_at
        FROM generate_series(1, ?) AS again (rerun)
        JOIN replaced_result r ON r.campaign_id = ? AND r.rerun = again.rerun AND r.kind = 'outcome' AND r.ordinal = ? AND r.member = ?
        WHERE r.result ->> 'status' IN ('COMPLETED', 'LIMIT') AND r.result ->> 'passed' IS NOT NULL
          AND r.rerun > coalesce((SELECT max(w.rerun) FROM whole_rerun w
                                  WHERE w.campaign_id = r.campaign_id AND w.branch_index = r.member), 0)
        ORDER BY r.rerun LIMIT 1\
        """;

    private static final String WAS_ASKED = """
        SELECT 1 FROM generate_series(1, ?) AS again (rerun)
        JOIN replaced_result r ON r.campaign_id = ? AND r.rerun = again.rerun AND r.kind = 'outcome' AND r.ordinal = ? AND r.member = ?\
        """;

    /**
     * Draws, each unless another cell of the asking campaign holds it. The limit keeps each row to its indexes: else PostgreSQL would read
     * whole tables for a hundred of them.
     */
    private static final String READ = """
        SELECT (n.place - 1)::integer AS place, d.*
        FROM unnest(?::text[], ?::integer[], ?::integer[], ?::integer[], ?::text[], ?::integer[], ?::integer[]) WITH ORDINALITY
            AS n (campaign_id, ordinal, branch_index, rerun, request_key, own_ordinal, own_branch, place)
        CROSS JOIN LATERAL (
            SELECT o.messages, o.original_context_length, o.response, o.finish_reason, o.requested, o.effective, o.served, o.warnings,
                   o.input_tokens, o.output_tokens, o.reasoning_tokens, o.cache_read_tokens, o.cache_write_tokens, o.total_tokens,
                   o.cost_usd, CASE WHEN o.delivery = 'BATCH' THEN -1 ELSE o.latency_ms END AS latency_ms, o.answered_at,
                   o.request_key, o.batch_id, o.cost_assumed, %s AS redrawn,
                   coalesce(o.origin_campaign, o.campaign_id) AS origin_campaign, coalesce(o.origin_case, k.case_id) AS origin_case,
                   coalesce(o.origin_branch, b.branch_id) AS origin_branch, coalesce(o.origin_trial, o.trial) AS origin_trial,
                   coalesce(o.origin_draw, %s) AS origin_draw
            FROM %s
            JOIN campaign c ON c.campaign_id = o.campaign_id
            JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = o.case_index
            JOIN campaign_branch b ON b.campaign_id = o.campaign_id AND b.branch_index = o.branch_index
            WHERE %s LIMIT 1) d
        WHERE d.request_key = n.request_key AND NOT EXISTS (
            SELECT 1 FROM outcome own
            WHERE own.campaign_id = ? AND (own.ordinal, own.branch_index) <> (n.own_ordinal, n.own_branch)
              AND (own.origin_campaign, own.origin_case, own.origin_branch, own.origin_trial, own.origin_draw)
                = (d.origin_campaign, d.origin_case, d.origin_branch, d.origin_trial, d.origin_draw))\
        """;

    private static final String READ_RECORDED = READ.formatted(
            "coalesce(o.redrawn, false)",
            "CASE WHEN c.reruns = 0 THEN 0 ELSE draw_number(o.campaign_id, o.ordinal, o.branch_index) END",
            "outcome o",
            "o.campaign_id = n.campaign_id AND o.ordinal = n.ordinal AND o.branch_index = n.branch_index");

    private static final String READ_REPLACED = READ.formatted(
            "true",
            """
            (SELECT count(*)::integer FROM generate_series(1, r.rerun - 1) AS before (rerun)
             JOIN replaced_result e ON e.campaign_id = r.campaign_id AND e.rerun = before.rerun AND e.kind = 'outcome'
                 AND e.ordinal = r.ordinal AND e.member = r.member AND NOT jsonb_exists(e.result, 'graded_again'))\
            """,
            "replaced_result r CROSS JOIN LATERAL jsonb_populate_record(NULL::outcome, r.result) o",
            "r.campaign_id = n.campaign_id AND r.ordinal = n.ordinal AND r.member = n.branch_index AND r.kind ="
                    + " 'outcome' AND r.rerun = n.rerun");

    private final Sql sql;

    ReuseRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * A cell whose answer is looked for.
     *
     * @param trial of the cell, from 1
     */
    public record Wanted(
            StoredCampaign campaign,
            ReusePolicy policy,
            int ordinal,
            int branchIndex,
            int trial,
            RequestName request) {}

    /** The stored answers that cells take, in their order; empty: there is none, and it is asked. */
    @ReadOnly
    public List<Optional<ReusableAnswer>> find(List<Wanted> cells) {
        Map<String, List<Wanted>> byCampaign = cells.stream()
                .collect(Collectors.groupingBy(cell -> cell.campaign().id()));
        IdentityHashMap<Wanted, ReusableAnswer> found = new IdentityHashMap<>();
        byCampaign.values().forEach(own -> find(own, found));
        return cells.stream().map(cell -> Optional.ofNullable(found.get(cell))).toList();
    }

    /** @param cells of one campaign */
    private void find(List<Wanted> cells, IdentityHashMap<Wanted, ReusableAnswer> found) {
        StoredCampaign campaign = cells.getFirst().campaign();
        List<Wanted> fresh = cells.stream().filter(cell -> !wasAsked(cell)).toList();
        Instant since = cells.getFirst().policy().since(campaign.createdAt());
        List<Choice> choices = new ArrayList<>();
        candidates(fresh)
                .forEach((place, candidates) -> choices.add(new Choice(
                        fresh.get(place),
                        candidates.stream()
                                .map(this::counting)
                                .filter(draw -> draw.isAnswer()
                                        && (since == null || !draw.answeredAt().isBefore(since)))
                                .sorted(BEST_FIRST)
                                .iterator())));
        // Most are found in the first round: another cell seldom holds the best draw.
        List<Choice> open = undecided(choices, found);
        while (!open.isEmpty()) {
            List<Drawn> drawn = open.stream()
                    .map(choice -> new Drawn(choice.cell(), choice.left().next()))
                    .toList();
            Map<Boolean, List<Drawn>> byPlace = drawn.stream()
                    .collect(Collectors.partitioningBy(draw -> draw.candidate().rerun() == null));
            read(READ_RECORDED, byPlace.getOrDefault(true, List.of()), found);
            read(READ_REPLACED, byPlace.getOrDefault(false, List.of()), found);
            open = undecided(choices, found);
        }
    }

    private static List<Choice> undecided(List<Choice> choices, IdentityHashMap<Wanted, ReusableAnswer> found) {
        return choices.stream()
                .filter(choice -> choice.left().hasNext() && !found.containsKey(choice.cell()))
                .toList();
    }

    /** Whether a re-run opened the cell: somebody asked for another answer. */
    private boolean wasAsked(Wanted cell) {
        int reruns = cell.campaign().reruns();
        return reruns > 0 && sql.exists(WAS_ASKED, reruns, cell.campaign().id(), cell.ordinal(), cell.branchIndex());
    }

    /** The draws that are left for a cell, the best first. */
    private record Choice(Wanted cell, Iterator<Candidate> left) {}

    private record Drawn(Wanted cell, Candidate candidate) {}

    /**
     * A draw that a cell may take.
     *
     * @param reruns of its campaign
     * @param rerun which re-run replaced it; null: none, it is in force
     */
    private record Candidate(
            String campaignId,
            int ordinal,
            int branchIndex,
            boolean isCopy,
            String status,
            Instant answeredAt,
            int reruns,
            @Nullable Integer rerun) {

        boolean isAnswer() {
            return status.equals(OutcomeStatus.COMPLETED.name());
        }
    }

    private static final Comparator<Candidate> BEST_FIRST = Comparator.comparing(Candidate::answeredAt)
            .reversed()
            .thenComparing(Candidate::isCopy)
            .thenComparing(Candidate::campaignId);

    /** By the cell's place. */
    private Map<Integer, List<Candidate>> candidates(List<Wanted> cells) {
        if (cells.isEmpty()) {
            return Map.of();
        }
        List<String> campaigns = cells.getFirst().policy().campaigns();
        Object[] asked = {
            all(cells, cell -> cell.request().key()),
            all(cells, cell -> cell.request().rank()),
            all(cells, Wanted::trial),
            cells.getFirst().campaign().id()
        };
        return campaigns.isEmpty()
                ? sql.grouped(OF_ANY, row -> row.getInt("place"), ReuseRepository::candidate, asked)
                : sql.grouped(
                        OF_NAMED, row -> row.getInt("place"), ReuseRepository::candidate, Sql.row(asked), campaigns);
    }

    private static Candidate candidate(ResultSet row) throws SQLException {
        return new Candidate(
                row.getString("campaign_id"),
                row.getInt("ordinal"),
                row.getInt("branch_index"),
                !row.getString("source").equals(AnswerSource.LIVE.name()),
                row.getString("status"),
                Columns.instant(row, "answered_at"),
                row.getInt("reruns"),
                null);
    }

    private static <T, V> List<V> all(List<T> items, Function<T, V> value) {
        return items.stream().map(value).toList();
    }

    private Candidate counting(Candidate inForce) {
        if (inForce.reruns() == 0) {
            return inForce;
        }
        return sql.first(
                        COUNTING,
                        row -> new Candidate(
                                inForce.campaignId(),
                                inForce.ordinal(),
                                inForce.branchIndex(),
                                inForce.isCopy(),
                                row.getString("status"),
                                Objects.requireNonNullElse(
                                        Columns.instantOrNull(row, "answered_at"), inForce.answeredAt()),
                                inForce.reruns(),
                                row.getInt("rerun")),
                        inForce.reruns(),
                        inForce.campaignId(),
                        inForce.ordinal(),
                        inForce.branchIndex())
                .orElse(inForce);
    }

    private void read(String statement, List<Drawn> draws, IdentityHashMap<Wanted, ReusableAnswer> found) {
        if (draws.isEmpty()) {
            return;
        }
        sql.byKey(
                        statement,
                        row -> row.getInt("place"),
                        ReuseRepository::read,
                        all(draws, draw -> draw.candidate().campaignId()),
                        all(draws, draw -> draw.candidate().ordinal()),
                        all(draws, draw -> draw.candidate().branchIndex()),
                        all(
                                draws,
                                draw -> Objects.requireNonNullElse(
                                        draw.candidate().rerun(), 0)),
                        all(draws, draw -> draw.cell().request().key()),
                        all(draws, draw -> draw.cell().ordinal()),
                        all(draws, draw -> draw.cell().branchIndex()),
                        draws.getFirst().cell().campaign().id())
                .forEach((place, answer) -> found.put(draws.get(place).cell(), answer));
    }

    private static ReusableAnswer read(ResultSet row) throws SQLException {
        return new ReusableAnswer(
                new Outcome.Answer(
                        OutcomeColumns.messages(row, "messages"),
                        row.getInt("original_context_length"),
                        row.getString("response"),
                        Columns.provenance(row),
                        null,
                        row.getString("finish_reason")),
                measured(row),
                Columns.strings(row, "warnings"),
                new AnswerOrigin(
                        AnswerSource.REUSED,
                        new Draw(
                                row.getString("origin_campaign"),
                                row.getString("origin_case"),
                                row.getString("origin_branch"),
                                row.getInt("origin_trial"),
                                row.getInt("origin_draw")),
                        Columns.instant(row, "answered_at"),
                        row.getBoolean("redrawn")),
                delivered(row));
    }

    static @Nullable Delivered delivered(ResultSet row) throws SQLException {
        String batch = row.getString("batch_id");
        return batch == null ? null : new Delivered(batch, row.getBoolean("cost_assumed"));
    }

    static Measured measured(ResultSet row) throws SQLException {
        return new Measured(
                Columns.usage(row), row.getBigDecimal("cost_usd"), Duration.ofMillis(row.getLong("latency_ms")));
    }
}
