package dev.assay.store.cell;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Claims: the assignment of cells to workers. Of two concurrent attempts at one cell, at most one gets it. */
@Singleton
public class CellRepository {

    /** When to look again at a cell that another live worker holds. */
    static final Duration HELD_RETRY = Duration.ofSeconds(1);

    // The worker that had begun the cell died: its lease lapsed without an orderly end, perhaps so long ago that its
    // row is gone.
    private static final String LOST = """
        c.begun AND NOT EXISTS (SELECT 1 FROM worker d WHERE d.worker_id = c.claim_worker
                                AND (d.ended OR worker_is_live(d.lease_until)))\
        """;

    // The worker that had begun the cell stopped it in good order, or is about to.
    private static final String STOPPED = """
        c.begun AND c.claim_worker <> excluded.claim_worker
        AND EXISTS (SELECT 1 FROM worker d WHERE d.worker_id = c.claim_worker
                    AND (d.ended OR worker_is_live(d.lease_until)))\
        """;

    // One statement checks and writes: the campaign runs in this epoch, and the worker is alive. The cell is open, due,
    // not out with its provider, and free.
    private static final String CLAIM = """
        INSERT INTO cell AS c (campaign_id, ordinal, kind, member, claim_worker, claim_epoch)
        SELECT k.campaign_id, o, ?, ?, w.worker_id, k.epoch
        FROM campaign k, worker w, unnest(?::integer[]) AS o
        WHERE k.campaign_id = ? AND k.epoch = ? AND k.state = 'RUNNING'
          AND w.worker_id = ? AND worker_is_live(w.lease_until)
        ORDER BY o
        ON CONFLICT (campaign_id, ordinal, kind, member) DO UPDATE
        SET claim_worker = excluded.claim_worker, claim_epoch = excluded.claim_epoch, closed_epoch = NULL, begun = false,
            attempts = CASE WHEN c.closed_epoch IS NOT NULL THEN 0
                            WHEN %2$s THEN greatest(c.attempts - 1, 0) ELSE c.attempts END,
            lost_attempts = CASE WHEN c.closed_epoch IS NOT NULL THEN 0
                                 WHEN %1$s THEN c.lost_attempts + 1 ELSE c.lost_attempts END,
            outages = CASE WHEN c.closed_epoch IS NOT NULL THEN 0 ELSE c.outages END,
            refusals = CASE WHEN c.closed_epoch IS NOT NULL THEN 0 ELSE c.refusals END,
            lost_runs = CASE WHEN c.closed_epoch IS NOT NULL THEN 0
                             WHEN %1$s THEN c.lost_runs + 1 ELSE c.lost_runs END,
            lost_worker = CASE WHEN %1$s THEN c.claim_worker ELSE c.lost_worker END
        WHERE NOT c.is_final
          AND (c.closed_epoch IS NULL OR c.closed_epoch < excluded.claim_epoch)
          AND (c.next_try_at IS NULL OR c.next_try_at <= now())
          AND NOT EXISTS (SELECT 1 FROM provider_batch_item i
                          WHERE i.campaign_id = c.campaign_id AND i.ordinal = c.ordinal AND i.kind = c.kind
                            AND i.member = c.member AND i.state = 'OUT')
          AND (c.claim_worker IS NULL
               OR c.claim_worker = excluded.claim_worker
               OR c.claim_epoch < excluded.claim_epoch
               OR NOT EXISTS (SELECT 1 FROM worker h
                              WHERE h.worker_id = c.claim_worker AND worker_is_live(h.lease_until)))
        RETURNING ordinal, attempts, lost_attempts, lost_runs, outages + refusals\
        """.formatted(LOST, STOPPED);

    private static final String LOOK = """
        SELECT ordinal, is_final OR closed_epoch >= ? AS closed,
               greatest(extract(epoch FROM next_try_at - now()) * 1000, 0)::bigint AS wait_ms,
               coalesce(claim_worker <> ? AND claim_epoch >= ?, false) AS held
        FROM cell
        WHERE campaign_id = ? AND kind = ? AND member = ? AND ordinal = ANY (?::integer[])\
        """;

    private static final String HELD = """
        SELECT ordinal FROM cell
        WHERE campaign_id = ? AND kind = ? AND member = ? AND ordinal = ANY (?::integer[])
          AND claim_worker = ? AND claim_epoch = ? AND closed_epoch IS NULL\
        """;

    private static final String RELEASE = """
        UPDATE cell SET claim_worker = NULL, begun = false
        WHERE campaign_id = ? AND kind = ? AND member = ? AND ordinal = ANY (?::integer[])
          AND claim_worker = ? AND claim_epoch = ? AND closed_epoch IS NULL\
        """;

    private final Sql sql;

    CellRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * Claims the cells of one slot of the given trials that are open, due and free.
     *
     * <p>A claim is free again when its worker's lease has lapsed or the campaign's epoch moved on. A worker may claim its own
     * cells again: it knows which of them it is running.
     *
     * @param run the epoch in which the caller works; in another one nothing is claimed
     */
    @Transactional
    public Claims claim(RunKey run, String workerId, CellKind kind, int slot, Collection<Integer> ordinals) {
        Set<Integer> rest = new TreeSet<>(ordinals);
        List<Claims.Claimed> claimed = sql.list(
                CLAIM,
                row -> new Claims.Claimed(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4), row.getInt(5)),
                kind.word(),
                slot,
                rest,
                run.campaignId(),
                run.epoch(),
                workerId);
        claimed.forEach(cell -> rest.remove(cell.ordinal()));
        List<Looked> looked = rest.isEmpty()
                ? List.of()
                : sql.list(
                        LOOK,
                        Looked::read,
                        run.epoch(),
                        workerId,
                        run.epoch(),
                        run.campaignId(),
                        kind.word(),
                        slot,
                        rest);
        looked.forEach(cell -> rest.remove(cell.ordinal()));
        // Not touched and not claimed: the campaign does not run in this epoch, or the worker's lease lapsed.
        Stream<Claims.Waiting> untouched = rest.stream().map(ordinal -> new Claims.Waiting(ordinal, HELD_RETRY, false));
        return new Claims(
                claimed,
                looked.stream().filter(Looked::closed).map(Looked::ordinal).toList(),
                Stream.concat(looked.stream().filter(cell -> !cell.closed()).map(Looked::waiting), untouched)
                        .toList());
    }

    /** A cell that was not claimed. */
    private record Looked(int ordinal, boolean closed, long waitMs, boolean held) {

        static Looked read(ResultSet row) throws SQLException {
            return new Looked(row.getInt(1), row.getBoolean(2), row.getLong(3), row.getBoolean(4));
        }

        Claims.Waiting waiting() {
            return waitMs > 0
                    ? new Claims.Waiting(ordinal, Duration.ofMillis(waitMs), true)
                    : new Claims.Waiting(ordinal, HELD_RETRY, held);
        }
    }

    /**
     * Gives cells up that the worker has claimed and not closed. Those of a cancelled campaign are not freed: see {@link CancelGuard}.
     *
     * @return the cells that the worker still holds and must close, since the campaign was cancelled
     */
    @Transactional
    public Set<Integer> release(RunKey run, String workerId, CellKind kind, int slot, Collection<Integer> ordinals) {
        if (ordinals.isEmpty()) {
            return Set.of();
        }
        Object[] cells = {run.campaignId(), kind.word(), slot, ordinals, workerId, run.epoch()};
        if (CancelGuard.guard(sql, List.of(run.campaignId())).isEmpty()) {
            sql.update(RELEASE, cells);
            return Set.of();
        }
        return new TreeSet<>(sql.list(HELD, row -> row.getInt(1), cells));
    }
}
