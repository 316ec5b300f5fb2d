package dev.assay.store.cell;

import dev.assay.domain.campaign.CellKind;
import dev.assay.store.Database;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Claims: which worker works on which cell. Two attempts at one cell at the same time never both get it. */
@Singleton
public class CellRepository {

    /** When to look again at a cell that another live worker holds. */
    static final Duration HELD_RETRY = Duration.ofSeconds(1);

    // The worker that had begun the cell died: its lease lapsed without an orderly end.
    private static final String LOST = """
        c.begun AND EXISTS (SELECT 1 FROM worker d WHERE d.worker_id = c.claim_worker AND NOT d.ended
                            AND NOT worker_is_live(d.lease_until))\
        """;

    // One statement checks and writes: the campaign runs in this epoch, the worker is alive, and the cell is open, due
    // and free.
    private static final String CLAIM = """
        INSERT INTO cell AS c (campaign_id, ordinal, kind, member, claim_worker, claim_epoch)
        SELECT k.campaign_id, o, ?, ?, w.worker_id, k.epoch
        FROM campaign k, worker w, unnest(?) AS o
        WHERE k.campaign_id = ? AND k.epoch = ? AND k.state = 'RUNNING'
          AND w.worker_id = ? AND worker_is_live(w.lease_until)
        ORDER BY o
        ON CONFLICT (campaign_id, ordinal, kind, member) DO UPDATE
        SET claim_worker = excluded.claim_worker, claim_epoch = excluded.claim_epoch, closed_epoch = NULL, begun = false,
            attempts = CASE WHEN c.closed_epoch IS NULL THEN c.attempts ELSE 0 END,
            lost_runs = CASE WHEN c.closed_epoch IS NOT NULL THEN 0
                             WHEN %1$s THEN c.lost_runs + 1 ELSE c.lost_runs END,
            lost_worker = CASE WHEN %1$s THEN c.claim_worker ELSE c.lost_worker END
        WHERE NOT c.is_final
          AND (c.closed_epoch IS NULL OR c.closed_epoch < excluded.claim_epoch)
          AND (c.next_try_at IS NULL OR c.next_try_at <= now())
          AND (c.claim_worker IS NULL
               OR c.claim_worker = excluded.claim_worker
               OR c.claim_epoch < excluded.claim_epoch
               OR NOT EXISTS (SELECT 1 FROM worker h
                              WHERE h.worker_id = c.claim_worker AND worker_is_live(h.lease_until)))
        RETURNING ordinal, attempts, lost_runs\
        """.formatted(LOST);

    private static final String LOOK = """
        SELECT ordinal, is_final OR closed_epoch >= ? AS closed,
               greatest(extract(epoch FROM next_try_at - now()) * 1000, 0)::bigint AS wait_ms,
               coalesce(claim_worker <> ? AND claim_epoch >= ?, false) AS held
        FROM cell
        WHERE campaign_id = ? AND kind = ? AND member = ? AND ordinal = ANY (?)\
        """;

    private static final String HELD = """
        SELECT ordinal FROM cell
        WHERE campaign_id = ? AND kind = ? AND member = ? AND ordinal = ANY (?)
          AND claim_worker = ? AND claim_epoch = ? AND closed_epoch IS NULL\
        """;

    private static final String RELEASE = """
        UPDATE cell SET claim_worker = NULL, begun = false
        WHERE campaign_id = ? AND kind = ? AND member = ? AND ordinal = ANY (?)
          AND claim_worker = ? AND claim_epoch = ? AND closed_epoch IS NULL\
        """;

    private final Database database;

    public CellRepository(Database database) {
        this.database = database;
    }

    /**
     * Claims the cells of one slot of the given trials that are open, due and free.
     *
     * <p>A claim is free again when its worker's lease has lapsed or the campaign's epoch moved on. A worker may claim its own
     * cells again: it knows itself which of them it is running.
     *
     * @param epoch the epoch in which the caller works; in another one nothing is claimed
     */
    public Claims claim(
            String campaignId, int epoch, String workerId, CellKind kind, int slot, Collection<Integer> ordinals) {
        return database.write(connection -> {
            Set<Integer> rest = new TreeSet<>(ordinals);
            List<Claims.Claimed> claimed = new ArrayList<>();
            try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
                claim.setString(1, kind.word());
                claim.setInt(2, slot);
                claim.setArray(3, integers(connection, rest));
                claim.setString(4, campaignId);
                claim.setInt(5, epoch);
                claim.setString(6, workerId);
                try (ResultSet rows = claim.executeQuery()) {
                    while (rows.next()) {
                        claimed.add(new Claims.Claimed(rows.getInt(1), rows.getInt(2), rows.getInt(3)));
                        rest.remove(rows.getInt(1));
                    }
                }
            }
            return rest.isEmpty()
                    ? new Claims(claimed, List.of(), List.of())
                    : lookAtRest(connection, campaignId, epoch, workerId, kind, slot, rest, claimed);
        });
    }

    private static Claims lookAtRest(
            Connection connection,
            String campaignId,
            int epoch,
            String workerId,
            CellKind kind,
            int slot,
            Set<Integer> rest,
            List<Claims.Claimed> claimed)
            throws SQLException {
        List<Integer> closed = new ArrayList<>();
        List<Claims.Waiting> waiting = new ArrayList<>();
        try (PreparedStatement look = connection.prepareStatement(LOOK)) {
            look.setInt(1, epoch);
            look.setString(2, workerId);
            look.setInt(3, epoch);
            look.setString(4, campaignId);
            look.setString(5, kind.word());
            look.setInt(6, slot);
            look.setArray(7, integers(connection, rest));
            try (ResultSet rows = look.executeQuery()) {
                while (rows.next()) {
                    int ordinal = rows.getInt(1);
                    rest.remove(ordinal);
                    if (rows.getBoolean(2)) {
                        closed.add(ordinal);
                    } else {
                        long waitMs = rows.getLong(3);
                        waiting.add(
                                waitMs > 0
                                        ? new Claims.Waiting(ordinal, Duration.ofMillis(waitMs), true)
                                        : new Claims.Waiting(ordinal, HELD_RETRY, rows.getBoolean(4)));
                    }
                }
            }
        }
        // Never touched and not claimed: the campaign does not run in this epoch, or the worker's lease lapsed.
        rest.forEach(ordinal -> waiting.add(new Claims.Waiting(ordinal, HELD_RETRY, false)));
        return new Claims(claimed, closed, waiting);
    }

    /**
     * Gives cells up that the worker has claimed and not closed. Those of a cancelled campaign are not freed: see {@link CancelGuard}.
     *
     * @return the cells that the worker still holds, and is to close, since the campaign was cancelled
     */
    public Set<Integer> release(
            String campaignId, int epoch, String workerId, CellKind kind, int slot, Collection<Integer> ordinals) {
        if (ordinals.isEmpty()) {
            return Set.of();
        }
        return database.write(connection -> {
            boolean isCancelled =
                    !CancelGuard.guard(connection, List.of(campaignId)).isEmpty();
            try (PreparedStatement statement = connection.prepareStatement(isCancelled ? HELD : RELEASE)) {
                statement.setString(1, campaignId);
                statement.setString(2, kind.word());
                statement.setInt(3, slot);
                statement.setArray(4, integers(connection, ordinals));
                statement.setString(5, workerId);
                statement.setInt(6, epoch);
                if (!isCancelled) {
                    statement.executeUpdate();
                    return Set.of();
                }
                Set<Integer> held = new TreeSet<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        held.add(rows.getInt(1));
                    }
                }
                return held;
            }
        });
    }

    private static java.sql.Array integers(Connection connection, Collection<Integer> values) throws SQLException {
        return connection.createArrayOf("integer", values.toArray());
    }
}
