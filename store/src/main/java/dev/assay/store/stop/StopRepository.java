package dev.assay.store.stop;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.matrix.CellState;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.stop.NeededCells;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.ProgressDelta;
import dev.assay.store.matrix.MatrixWriter;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The state that stopping early reads, and the cells that it closes without a request. */
@Singleton
public class StopRepository {

    private static final String DONE = """
        SELECT o.ordinal, o.branch_index, o.passed, o.error_code, %s FROM outcome o
        WHERE o.campaign_id = ? AND o.ordinal >= ?
          AND (o.status NOT IN ('CANCELLED', 'BUDGET_SKIPPED') OR o.epoch >= ?)
        ORDER BY o.ordinal, o.branch_index\
        """.formatted(OutcomeColumns.STATUS);

    // Open cells that no worker holds and that have no records: a loop that has begun goes on.
    private static final String CLOSE = """
        INSERT INTO cell AS c (campaign_id, ordinal, kind, member, closed_epoch)
        SELECT k.campaign_id, o, 'branch', ?, k.epoch FROM campaign k, unnest(?::integer[]) AS o
        WHERE k.campaign_id = ? AND k.epoch = ? AND k.state = 'RUNNING'
          AND NOT EXISTS (SELECT 1 FROM turn t
                          WHERE t.campaign_id = k.campaign_id AND t.ordinal = o AND t.branch_index = ?)
        ORDER BY o
        ON CONFLICT (campaign_id, ordinal, kind, member) DO UPDATE
        SET closed_epoch = excluded.closed_epoch, claim_worker = NULL, next_try_at = NULL, begun = false, lost_worker = NULL
        WHERE NOT c.is_final
          AND (c.closed_epoch IS NULL OR c.closed_epoch < excluded.closed_epoch)
          AND (c.claim_worker IS NULL OR c.claim_epoch < excluded.closed_epoch
               OR NOT EXISTS (SELECT 1 FROM worker h
                              WHERE h.worker_id = c.claim_worker AND worker_is_live(h.lease_until)))
        RETURNING ordinal\
        """;

    private static final String INSERT = """
        INSERT INTO outcome AS o (campaign_id, ordinal, branch_index, case_index, trial, epoch, loop_id, status, not_needed,
            response, messages, original_context_length, input_tokens, output_tokens, reasoning_tokens,
            cache_read_tokens, cache_write_tokens, total_tokens, latency_ms, attempts, error_code, error_message, checks)
        VALUES (?, ?, ?, ?, ?, ?, ?, 'CANCELLED', true, '', '[]', 0, 0, 0, 0, 0, 0, 0, 0, 0, ?, ?, '[]')
        ON CONFLICT (campaign_id, ordinal, branch_index) DO UPDATE SET
            epoch = excluded.epoch, status = excluded.status, not_needed = true, error_code = excluded.error_code,
            error_message = excluded.error_message, finished_at = now()
        WHERE o.status IN ('CANCELLED', 'BUDGET_SKIPPED')\
        """;

    private final Sql sql;

    StopRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * A cell that is done in the campaign's epoch.
     *
     * @param verdict what its trial came to; null: it was not needed
     */
    public record DoneCell(
            int ordinal, int branchIndex, @Nullable TrialVerdict verdict) {

        private static DoneCell read(ResultSet row) throws SQLException {
            OutcomeStatus status = OutcomeStatus.valueOf(row.getString("status"));
            return new DoneCell(
                    row.getInt("ordinal"),
                    row.getInt("branch_index"),
                    status == OutcomeStatus.NOT_NEEDED
                            ? null
                            : TrialVerdict.ofStored(
                                    status, Columns.booleanOrNull(row, "passed"), Columns.errorCode(row)));
        }
    }

    /**
     * Hands over the cells that are done, by trial number and then branch.
     *
     * @param from the first trial number
     */
    @ReadOnly
    public void done(StoredCampaign campaign, int from, Consumer<DoneCell> consumer) {
        sql.forEach(DONE, DoneCell::read, consumer, campaign.id(), from, campaign.epoch());
    }

    /**
     * Closes cells of a branch that are open and that no worker holds, as NOT_NEEDED. Nothing when the campaign does not run in the
     * epoch that {@code campaign} was read in.
     *
     * @param ordinals trial numbers
     * @return those of them whose cell it closed
     */
    @Transactional
    public List<Integer> close(StoredCampaign campaign, int branchIndex, Collection<Integer> ordinals) {
        List<Integer> closed = sql.list(
                CLOSE,
                row -> row.getInt(1),
                branchIndex,
                new TreeSet<>(ordinals),
                campaign.id(),
                campaign.epoch(),
                branchIndex);
        Branch branch = campaign.definition().branches().get(branchIndex);
        sql.batch(
                INSERT,
                closed,
                ordinal -> Sql.row(
                        campaign.id(),
                        ordinal,
                        branchIndex,
                        campaign.grid().caseIndex(ordinal),
                        campaign.grid().trial(ordinal),
                        campaign.epoch(),
                        campaign.loopId(ordinal, branchIndex, branch.segment()).text(),
                        Columns.failure(NeededCells.NOT_NEEDED)));
        MatrixWriter matrices = new MatrixWriter();
        closed.forEach(ordinal -> matrices.of(campaign.id()).cell(ordinal, branchIndex, CellState.NOT_NEEDED));
        matrices.write(sql);
        ProgressDelta progress = new ProgressDelta();
        progress.notNeeded(campaign.run(), branchIndex, closed.size());
        progress.write(sql);
        return closed;
    }
}
