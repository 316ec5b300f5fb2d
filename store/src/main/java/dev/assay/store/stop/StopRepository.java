package dev.assay.store.stop;

import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.matrix.CellState;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.stop.NeededCells;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.ProgressDelta;
import dev.assay.store.matrix.MatrixWriter;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.RowColumns;
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

    private static final RowColumns<ClosedCell> COLUMNS = RowColumns.<ClosedCell>of()
            .key("campaign_id", cell -> cell.campaign().id())
            .key("ordinal", ClosedCell::ordinal)
            .key("branch_index", ClosedCell::branchIndex)
            .key("case_index", cell -> cell.campaign().grid().caseIndex(cell.ordinal()))
            .key("trial", cell -> cell.campaign().grid().trial(cell.ordinal()))
            .key("loop_id", ClosedCell::loopId)
            .column("epoch", cell -> cell.campaign().epoch())
            .failure(cell -> NeededCells.NOT_NEEDED)
            .constant("status", "'CANCELLED'")
            .constant("not_needed", "true")
            .constant("response", "''")
            .constant("messages", "'[]'")
            .constant("original_context_length", "0")
            .constant("input_tokens", "0")
            .constant("output_tokens", "0")
            .constant("reasoning_tokens", "0")
            .constant("cache_read_tokens", "0")
            .constant("cache_write_tokens", "0")
            .constant("total_tokens", "0")
            .constant("latency_ms", "0")
            .constant("attempts", "0")
            .constant("checks", "'[]'");

    // What a cancelled cell has paid for stays.
    private static final String INSERT =
            COLUMNS.insert("outcome AS o") + " ON CONFLICT (campaign_id, ordinal, branch_index) DO UPDATE SET "
                    + COLUMNS.replaced() + """
                    , status = excluded.status, not_needed = true, finished_at = now()
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
        sql.batch(INSERT, closed, ordinal -> COLUMNS.parameters(new ClosedCell(campaign, ordinal, branchIndex)));
        MatrixWriter matrices = new MatrixWriter();
        closed.forEach(ordinal -> matrices.of(campaign.id()).cell(ordinal, branchIndex, CellState.NOT_NEEDED));
        matrices.write(sql);
        ProgressDelta progress = new ProgressDelta();
        progress.notNeeded(campaign.run(), branchIndex, closed.size());
        progress.write(sql);
        return closed;
    }

    private record ClosedCell(StoredCampaign campaign, int ordinal, int branchIndex) {

        String loopId() {
            String segment = campaign.definition().branches().get(branchIndex).segment();
            return campaign.loopId(ordinal, branchIndex, segment).text();
        }
    }
}
