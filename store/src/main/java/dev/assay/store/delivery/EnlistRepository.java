package dev.assay.store.delivery;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.store.delivery.NewBatch.Line;
import dev.assay.store.journal.BudgetHold;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The writer of new batches: their cells are out from then on, and nobody else asks them. */
@Singleton
public class EnlistRepository {

    /** Of {@code cell c}: its request is in a batch that has not ended. */
    private static final String IS_OUT = """
        EXISTS (SELECT 1 FROM provider_batch_item i
                WHERE i.campaign_id = c.campaign_id AND i.ordinal = c.ordinal AND i.kind = c.kind AND i.member = c.member
                  AND i.state = 'OUT')\
        """;

    /** Of {@code cell c}: a live worker runs it in the epoch that follows as a parameter, or in a later one. */
    private static final String IS_HELD = """
        (c.claim_worker IS NOT NULL AND c.claim_epoch >= ?
         AND EXISTS (SELECT 1 FROM worker h WHERE h.worker_id = c.claim_worker AND worker_is_live(h.lease_until)))\
        """;

    // A cell that was closed in an earlier epoch begins anew, as when it is claimed.
    private static final String ENLIST = """
        INSERT INTO cell AS c (campaign_id, ordinal, kind, member, claim_epoch, attempts, batches)
        SELECT k.campaign_id, w.ordinal, ?, w.member, k.epoch, 1, 1
        FROM campaign k, unnest(?::integer[], ?::integer[]) AS w (ordinal, member)
        WHERE k.campaign_id = ? AND k.epoch = ? AND k.state = 'RUNNING'
        ORDER BY w.ordinal, w.member
        ON CONFLICT (campaign_id, ordinal, kind, member) DO UPDATE
        SET claim_worker = NULL, claim_epoch = excluded.claim_epoch, closed_epoch = NULL, begun = false, next_try_at = NULL,
            goes_live = false, wants_batch = false,
            attempts = CASE WHEN c.closed_epoch IS NOT NULL THEN 1 ELSE c.attempts + 1 END,
            batches = CASE WHEN c.closed_epoch IS NOT NULL THEN 1 ELSE c.batches + 1 END,
            lost_attempts = CASE WHEN c.closed_epoch IS NOT NULL THEN 0 ELSE c.lost_attempts END,
            outages = CASE WHEN c.closed_epoch IS NOT NULL THEN 0 ELSE c.outages END,
            refusals = CASE WHEN c.closed_epoch IS NOT NULL THEN 0 ELSE c.refusals END,
            lost_runs = CASE WHEN c.closed_epoch IS NOT NULL THEN 0 ELSE c.lost_runs END
        WHERE NOT c.is_final AND (c.closed_epoch IS NULL OR c.closed_epoch < excluded.claim_epoch)
          AND (c.closed_epoch IS NOT NULL OR NOT c.goes_live)
          AND NOT %s AND NOT %s
        RETURNING ordinal, member, attempts, batches\
        """.formatted(IS_OUT, IS_HELD.replace("?", "excluded.claim_epoch"));

    private static final String NOT_OPEN = """
        SELECT c.ordinal, c.member FROM cell c
        WHERE c.campaign_id = ? AND c.kind = ? AND c.member = ANY (?::integer[]) AND c.ordinal = ANY (?::integer[])
          AND (c.is_final OR c.closed_epoch >= ? OR c.closed_epoch IS NULL AND (c.goes_live OR %s) OR %s)\
        """.formatted(IS_HELD, IS_OUT);

    // A branch's cell that needs no batch any more: it is closed, or is asked live.
    private static final String READY = """
        SELECT c.ordinal FROM cell c
        WHERE c.campaign_id = ? AND c.kind = 'branch' AND c.member = ANY (?::integer[]) AND c.ordinal = ANY (?::integer[])
          AND (c.is_final OR c.closed_epoch >= ? OR c.closed_epoch IS NULL AND c.goes_live)
        GROUP BY c.ordinal HAVING count(*) = ?\
        """;

    // A trial of which a judge or grader is out, or is to go out.
    private static final String WAITING = """
        SELECT c.ordinal FROM cell c
        WHERE c.campaign_id = ? AND c.ordinal = ANY (?::integer[]) AND c.kind IN ('judge', 'grade') AND c.wants_batch
          AND c.closed_epoch IS NULL
        UNION SELECT i.ordinal FROM provider_batch_item i
        WHERE i.campaign_id = ? AND i.ordinal = ANY (?::integer[]) AND i.kind IN ('judge', 'grade') AND i.state = 'OUT'\
        """;

    private static final String WISH = """
        INSERT INTO cell AS c (campaign_id, ordinal, kind, member, claim_epoch, wants_batch)
        SELECT k.campaign_id, w.ordinal, ?, w.member, k.epoch, true
        FROM campaign k, unnest(?::integer[], ?::integer[]) AS w (ordinal, member)
        WHERE k.campaign_id = ? AND k.epoch = ?
        ORDER BY w.ordinal, w.member
        ON CONFLICT (campaign_id, ordinal, kind, member) DO UPDATE
        SET wants_batch = true, goes_live = false, claim_worker = NULL, claim_epoch = excluded.claim_epoch, closed_epoch = NULL,
            attempts = CASE WHEN c.closed_epoch IS NOT NULL THEN 0 ELSE c.attempts END,
            batches = CASE WHEN c.closed_epoch IS NOT NULL THEN 0 ELSE c.batches END
        WHERE NOT c.is_final AND (c.closed_epoch IS NULL AND NOT c.goes_live OR c.closed_epoch < excluded.claim_epoch)
          AND NOT %s AND NOT %s
        RETURNING ordinal, member\
        """.formatted(IS_OUT, IS_HELD.replace("?", "excluded.claim_epoch"));

    private static final String WANTED = """
        SELECT c.ordinal, c.member FROM cell c
        WHERE c.campaign_id = ? AND c.kind = ? AND c.ordinal = ANY (?::integer[]) AND c.wants_batch AND c.closed_epoch IS NULL\
        """;

    private static final String GO_LIVE = """
        INSERT INTO cell AS c (campaign_id, ordinal, kind, member, claim_epoch, goes_live)
        SELECT k.campaign_id, w.ordinal, ?, w.member, k.epoch, true
        FROM campaign k, unnest(?::integer[], ?::integer[]) AS w (ordinal, member)
        WHERE k.campaign_id = ? AND k.epoch = ?
        ORDER BY w.ordinal, w.member
        ON CONFLICT (campaign_id, ordinal, kind, member) DO UPDATE
        SET goes_live = true, wants_batch = false, closed_epoch = NULL,
            attempts = CASE WHEN c.closed_epoch IS NOT NULL THEN 0 ELSE c.attempts END
        WHERE NOT c.is_final AND (c.closed_epoch IS NULL OR c.closed_epoch < excluded.claim_epoch) AND NOT %s\
        """.formatted(IS_OUT);

    private static final String BUDGET =
            "SELECT budget_usd FROM campaign WHERE campaign_id = ? AND epoch = ? AND state = 'RUNNING'";

    private static final String INSERT_BATCH = """
        INSERT INTO provider_batch (id, campaign_id, epoch, provider, model, kind, round, queue, state, lines, bytes,
                                    estimated_tokens, reserved_usd, deadline_at, error_code, error_message)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'BUILDING', ?, ?, ?, ?, ?, ?, ?)\
        """;

    private static final String INSERT_ITEMS = """
        INSERT INTO provider_batch_item (campaign_id, request_id, batch_id, ordinal, kind, member, attempt, state)
        SELECT ?, w.request_id, ?, w.ordinal, ?, w.member, w.attempt, 'OUT'
        FROM unnest(?::bigint[], ?::integer[], ?::integer[], ?::integer[]) AS w (request_id, ordinal, member, attempt)\
        """;

    private static final String INSERT_LEDGER = """
        INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id, epoch,
                            reserved_usd, state, batch_id)
        SELECT w.request_id, ?, w.ordinal, ?, w.member, w.attempt, 1, ?, ?, ?, ?, w.usd::numeric, 'SENT', ?
        FROM unnest(?::bigint[], ?::integer[], ?::integer[], ?::integer[], ?::text[]) AS w (request_id, ordinal, member, attempt, usd)\
        """;

    private final Sql sql;

    EnlistRepository(Sql sql) {
        this.sql = sql;
    }

    /** A cell of a trial. */
    public record Place(int ordinal, int slot) {}

    /** Of the given cells those that no batch may take: they are done, out, asked live, or run by a live worker. */
    @ReadOnly
    public Set<Place> notOpen(RunKey run, CellKind kind, Collection<Integer> slots, Collection<Integer> ordinals) {
        return Set.copyOf(sql.list(
                NOT_OPEN,
                row -> new Place(row.getInt(1), row.getInt(2)),
                run.campaignId(),
                kind.word(),
                slots,
                ordinals,
                run.epoch(),
                run.epoch()));
    }

    /** Those of the given trials in which none of these branches needs a batch any more. */
    @ReadOnly
    public Set<Integer> ready(RunKey run, Collection<Integer> branches, Collection<Integer> ordinals) {
        return branches.isEmpty()
                ? Set.copyOf(ordinals)
                : new TreeSet<>(sql.list(
                        READY,
                        row -> row.getInt(1),
                        run.campaignId(),
                        branches,
                        ordinals,
                        run.epoch(),
                        branches.size()));
    }

    /** Those of the given trials of which a judge or a grader is out, or is to go out. */
    @ReadOnly
    public Set<Integer> waiting(String campaignId, Collection<Integer> ordinals) {
        return new TreeSet<>(sql.list(WAITING, row -> row.getInt(1), campaignId, ordinals, campaignId, ordinals));
    }

    /** Has calls of judges or graders go out with the next batch. Answers with those that do: others are done, or asked live. */
    @Transactional
    public Set<Place> wish(RunKey run, CellKind kind, Collection<Place> calls) {
        List<Place> places = List.copyOf(calls);
        return Set.copyOf(sql.list(
                WISH,
                row -> new Place(row.getInt(1), row.getInt(2)),
                kind.word(),
                all(places, Place::ordinal),
                all(places, Place::slot),
                run.campaignId(),
                run.epoch()));
    }

    /** The calls of the given trials that are to go out with the next batch. */
    @ReadOnly
    public Set<Place> wanted(String campaignId, CellKind kind, Collection<Integer> ordinals) {
        return Set.copyOf(
                sql.list(WANTED, row -> new Place(row.getInt(1), row.getInt(2)), campaignId, kind.word(), ordinals));
    }

    /** Has cells asked live from now on; those that are out or done stay as they are. */
    @Transactional
    public void goLive(RunKey run, CellKind kind, List<Place> cells) {
        sql.update(
                GO_LIVE,
                kind.word(),
                all(cells, Place::ordinal),
                all(cells, Place::slot),
                run.campaignId(),
                run.epoch());
    }

    /** A line whose cell is out now. */
    private record Enlisted(Line line, int attempt, int round) {}

    /**
     * Makes a batch, as far as the campaign's budget covers its lines. The attempts of its cells are counted, and their rows of the
     * ledger are written, in the same transaction. Nothing is made where the campaign does not run in this epoch.
     */
    @Transactional
    public EnlistedLines enlist(NewBatch batch) {
        List<Optional<BigDecimal>> running = sql.list(
                BUDGET,
                row -> Optional.ofNullable(row.getBigDecimal(1)),
                batch.run().campaignId(),
                batch.run().epoch());
        if (running.isEmpty()) {
            return new EnlistedLines(0, false);
        }
        BigDecimal budget = running.getFirst().orElse(null);
        List<Line> covered = budget == null ? batch.lines() : covered(batch, budget);
        boolean overBudget = covered.size() < batch.lines().size();
        List<Enlisted> enlisted = covered.isEmpty() ? List.of() : enlistCells(batch, covered);
        if (!enlisted.isEmpty()) {
            BigDecimal reserved = insert(batch, enlisted);
            if (budget != null && reserved != null) {
                BudgetHold.reserve(sql, batch.run().campaignId(), reserved);
            }
        }
        return new EnlistedLines(enlisted.size(), overBudget);
    }

    /** The first lines that the budget covers; no other transaction changes it then. */
    private List<Line> covered(NewBatch batch, BigDecimal budget) {
        BigDecimal left = BudgetHold.left(sql, batch.run().campaignId(), budget);
        List<Line> covered = new ArrayList<>();
        for (Line line : batch.lines()) {
            left = line.worstCaseUsd() == null ? left : left.subtract(line.worstCaseUsd());
            if (left.signum() < 0) {
                return covered;
            }
            covered.add(line);
        }
        return covered;
    }

    private List<Enlisted> enlistCells(NewBatch batch, List<Line> lines) {
        Map<Place, Line> byPlace =
                lines.stream().collect(Collectors.toMap(line -> new Place(line.ordinal(), line.slot()), line -> line));
        return sql.list(
                ENLIST,
                row -> new Enlisted(
                        Objects.requireNonNull(byPlace.get(new Place(row.getInt(1), row.getInt(2)))),
                        row.getInt(3),
                        row.getInt(4)),
                batch.kind().word(),
                all(lines, Line::ordinal),
                all(lines, Line::slot),
                batch.run().campaignId(),
                batch.run().epoch());
    }

    private @Nullable BigDecimal insert(NewBatch batch, List<Enlisted> enlisted) {
        List<Line> lines = all(enlisted, Enlisted::line);
        List<Integer> attempts = all(enlisted, Enlisted::attempt);
        BigDecimal reserved = lines.stream().anyMatch(line -> line.worstCaseUsd() == null)
                ? null
                : lines.stream().map(Line::worstCaseUsd).reduce(BigDecimal.ZERO, BigDecimal::add);
        sql.update(
                INSERT_BATCH,
                batch.id(),
                batch.run().campaignId(),
                batch.run().epoch(),
                batch.target().provider(),
                batch.target().model(),
                batch.kind().word(),
                enlisted.stream().mapToInt(Enlisted::round).max().orElseThrow(),
                batch.target().queue(),
                lines.size(),
                lines.stream().mapToLong(Line::bytes).sum(),
                lines.stream().mapToLong(Line::tokens).sum(),
                reserved,
                batch.deadline(),
                batch.refusal() == null ? null : batch.refusal().code(),
                batch.refusal() == null ? null : batch.refusal().message());
        List<Long> ids = all(lines, Line::requestId);
        List<Integer> ordinals = all(lines, Line::ordinal);
        List<Integer> slots = all(lines, Line::slot);
        sql.update(
                INSERT_ITEMS,
                batch.run().campaignId(),
                batch.id(),
                batch.kind().word(),
                ids,
                ordinals,
                slots,
                attempts);
        sql.update(
                INSERT_LEDGER,
                batch.run().campaignId(),
                batch.kind().word(),
                batch.target().provider(),
                batch.target().model(),
                batch.workerId(),
                batch.run().epoch(),
                batch.id(),
                ids,
                ordinals,
                slots,
                attempts,
                all(
                        lines,
                        line -> line.worstCaseUsd() == null
                                ? null
                                : line.worstCaseUsd().toPlainString()));
        return reserved;
    }

    private static <T, V extends @Nullable Object> List<V> all(List<T> items, Function<T, V> value) {
        List<V> values = new ArrayList<>(items.size());
        items.forEach(item -> values.add(value.apply(item)));
        return values;
    }
}
