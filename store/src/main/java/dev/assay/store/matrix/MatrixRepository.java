package dev.assay.store.matrix;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.matrix.CellState;
import dev.assay.domain.matrix.MatrixEntries;
import dev.assay.domain.matrix.ResultMatrix;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.TransactionDefinition.Isolation;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The stored matrices: chunks, then the changes since they were written. Many changes become chunks ({@link #compact}). Where
 * changes are missing, because an earlier build recorded the results, the results become chunks ({@link #rebuild}).
 */
@Singleton
public class MatrixRepository {

    /** Cells of a chunk. */
    private static final int CHUNK = 65_536;

    /** The number of rows of changes that become chunks in one transaction. */
    private static final int ROWS = 20_000;

    private static final String STANDING = """
        SELECT c.case_count, c.trials, (SELECT count(*) FROM campaign_branch b WHERE b.campaign_id = c.campaign_id) AS branches,
               coalesce((SELECT generation FROM matrix m WHERE m.campaign_id = c.campaign_id), 0) AS generation,
               coalesce(p.cells, 0) AS final_cells, coalesce(p.trials, 0) AS complete_trials,
               pg_snapshot_xmin(pg_current_snapshot())::text AS from_transaction
        FROM campaign c LEFT JOIN LATERAL (
            SELECT sum(cells_done) FILTER (WHERE kind = 'branch') AS cells, sum(trials_done) AS trials
            FROM progress p WHERE p.campaign_id = c.campaign_id) p ON true
        WHERE c.campaign_id = ? AND c.deleted_at IS NULL\
        """;

    private static final String CHUNKS = "SELECT chunk, cells FROM matrix_chunk WHERE campaign_id = ? ORDER BY chunk";

    private static final String CHANGES = """
        SELECT number, entries, written_by >= ?::xid8 AS recent FROM matrix_change
        WHERE campaign_id = ? ORDER BY number\
        """;

    private static final String LATER_CHANGES = """
        SELECT number, entries, written_by >= ?::xid8 AS recent FROM matrix_change
        WHERE campaign_id = ? AND written_by >= ?::xid8 ORDER BY number\
        """;

    private static final String TAKE_CHANGES = """
        DELETE FROM matrix_change WHERE campaign_id = ? AND number IN (
            SELECT number FROM matrix_change WHERE campaign_id = ? ORDER BY number LIMIT ?)
        RETURNING number, entries, true AS recent\
        """;

    // One statement, so one snapshot: it deletes exactly the changes of the results that it reads.
    private static final String RESULTS = """
        WITH gone AS (DELETE FROM matrix_change WHERE campaign_id = ?)
        SELECT o.ordinal, o.branch_index AS branch, %s, o.passed, false AS tied, false AS complete FROM outcome o
        WHERE o.campaign_id = ?
        UNION ALL
        SELECT ordinal, selected_index, NULL, fallback, tied, complete FROM trial WHERE campaign_id = ?\
        """.formatted(OutcomeColumns.STATUS);

    // Cells that were copied, or whose build knew no labels, have noted none.
    private static final String LABELLED = """
        SELECT DISTINCT l.ordinal, l.branch_index FROM cell_label l
        WHERE l.campaign_id = ? AND l.check_name IS NULL AND EXISTS (SELECT 1 FROM label)\
        """;

    // Writers of chunks wait for each other.
    private static final String NEXT_GENERATION = """
        INSERT INTO matrix AS m (campaign_id) VALUES (?)
        ON CONFLICT (campaign_id) DO UPDATE SET generation = m.generation + 1\
        """;

    private static final String STORE_CHUNK = """
        INSERT INTO matrix_chunk (campaign_id, chunk, cells) VALUES (?, ?, ?)
        ON CONFLICT (campaign_id, chunk) DO UPDATE SET cells = excluded.cells\
        """;

    private final Sql sql;

    MatrixRepository(Sql sql) {
        this.sql = sql;
    }

    private record Standing(int cases, int branches, MatrixCounts expected, long generation, String fromTransaction) {

        static Standing read(ResultSet row) throws SQLException {
            return new Standing(
                    row.getInt("case_count"),
                    row.getInt("branches"),
                    new MatrixCounts(row.getInt("trials"), row.getLong("final_cells"), row.getLong("complete_trials")),
                    row.getLong("generation"),
                    row.getString("from_transaction"));
        }

        ResultMatrix open() {
            return new ResultMatrix(cases, branches, expected.trials());
        }
    }

    /** @param recent whether its transaction is none of those that a snapshot says have all ended */
    @SuppressWarnings("ArrayRecordComponent") // never compared and never changed
    private record Change(long number, byte[] entries, boolean recent) {

        static Change read(ResultSet row) throws SQLException {
            return new Change(row.getLong("number"), row.getBytes("entries"), row.getBoolean("recent"));
        }
    }

    /**
     * Reads a whole matrix.
     *
     * @throws AssayException NOT_FOUND; INVALID_INPUT when it has more than {@link ResultMatrix#MOST_CELLS} cells
     */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public StoredMatrix load(String campaignId) {
        Standing standing = standing(campaignId);
        ResultMatrix matrix = withChunks(standing, campaignId);
        Set<Long> recent = new HashSet<>();
        int[] changes = {0};
        sql.forEach(
                CHANGES,
                Change::read,
                change -> {
                    matrix.apply(change.entries(), index -> {});
                    changes[0]++;
                    if (change.recent()) {
                        recent.add(change.number());
                    }
                },
                standing.fromTransaction(),
                campaignId);
        sql.forEach(LABELLED, MatrixRepository::labelled, entries -> matrix.apply(entries, index -> {}), campaignId);
        MatrixSeen seen = new MatrixSeen(standing.generation(), standing.fromTransaction(), recent);
        return new StoredMatrix(matrix, seen, changes[0], standing.expected());
    }

    /**
     * Reads the changes since a matrix was read.
     *
     * @throws AssayException NOT_FOUND when the campaign was deleted
     */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public MatrixUpdate since(String campaignId, MatrixSeen seen) {
        Standing standing = standing(campaignId);
        List<byte[]> entries = new ArrayList<>();
        Set<Long> recent = new HashSet<>();
        if (standing.generation() == seen.generation()) {
            for (Change change :
                    sql.list(LATER_CHANGES, Change::read, standing.fromTransaction(), campaignId, seen.from())) {
                if (!seen.numbers().contains(change.number())) {
                    entries.add(change.entries());
                }
                if (change.recent()) {
                    recent.add(change.number());
                }
            }
        }
        return new MatrixUpdate(
                entries,
                new MatrixSeen(standing.generation(), standing.fromTransaction(), recent),
                standing.expected());
    }

    /**
     * Turns the oldest changes into chunks.
     *
     * @return whether there may be more
     */
    @Transactional
    public boolean compact(String campaignId) {
        sql.update(NEXT_GENERATION, campaignId);
        Standing standing = standing(campaignId);
        ResultMatrix matrix = withChunks(standing, campaignId);
        List<Change> changes = sql.list(TAKE_CHANGES, Change::read, campaignId, campaignId, ROWS);
        BitSet touched = new BitSet();
        changes.stream()
                .sorted(Comparator.comparingLong(Change::number))
                .forEach(change -> matrix.apply(change.entries(), index -> touched.set(index / CHUNK)));
        store(campaignId, matrix, touched.stream());
        return changes.size() == ROWS;
    }

    /** Makes the chunks anew from outcomes and selections. It takes about a second for a million of them. */
    @Transactional
    public void rebuild(String campaignId) {
        sql.update(NEXT_GENERATION, campaignId);
        ResultMatrix matrix = standing(campaignId).open();
        sql.forEach(
                RESULTS,
                MatrixRepository::entries,
                entries -> matrix.apply(entries, index -> {}),
                campaignId,
                campaignId,
                campaignId);
        store(campaignId, matrix, IntStream.range(0, (matrix.cells().length + CHUNK - 1) / CHUNK));
    }

    private static byte[] entries(ResultSet row) throws SQLException {
        MatrixEntries entries = new MatrixEntries();
        String status = row.getString("status");
        @Nullable Integer branch = Columns.integerOrNull(row, "branch");
        @Nullable Boolean passed = Columns.booleanOrNull(row, "passed");
        if (status != null && branch != null) {
            entries.cell(row.getInt("ordinal"), branch, CellState.of(OutcomeStatus.valueOf(status), passed));
        } else {
            entries.selection(
                    row.getInt("ordinal"),
                    branch,
                    Boolean.TRUE.equals(passed),
                    row.getBoolean("tied"),
                    row.getBoolean("complete"));
        }
        return entries.bytes();
    }

    private static byte[] labelled(ResultSet row) throws SQLException {
        MatrixEntries entries = new MatrixEntries();
        entries.labelled(row.getInt("ordinal"), row.getInt("branch_index"));
        return entries.bytes();
    }

    private Standing standing(String campaignId) {
        Standing standing = sql.first(STANDING, Standing::read, campaignId)
                .orElseThrow(() -> new AssayException(ErrorCode.NOT_FOUND, "There is no campaign " + campaignId));
        int trials = standing.expected().trials();
        if (ResultMatrix.isTooLarge(standing.cases(), standing.branches(), trials)) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "Campaign %s has %d cells, more than the %d of a matrix: list /api/v1/campaigns/%s/outcomes instead"
                            .formatted(
                                    campaignId,
                                    (long) standing.cases() * standing.branches() * trials,
                                    ResultMatrix.MOST_CELLS,
                                    campaignId));
        }
        return standing;
    }

    private ResultMatrix withChunks(Standing standing, String campaignId) {
        ResultMatrix matrix = standing.open();
        sql.forEach(
                CHUNKS,
                row -> new Chunk(row.getInt("chunk"), row.getBytes("cells")),
                chunk -> matrix.put(chunk.number() * CHUNK, chunk.cells()),
                campaignId);
        return matrix;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared and never changed
    private record Chunk(int number, byte[] cells) {}

    private void store(String campaignId, ResultMatrix matrix, IntStream chunks) {
        byte[] cells = matrix.cells();
        sql.batch(
                STORE_CHUNK,
                chunks.boxed().toList(),
                chunk -> Sql.row(
                        campaignId,
                        chunk,
                        Arrays.copyOfRange(cells, chunk * CHUNK, Math.min(cells.length, (chunk + 1) * CHUNK))));
    }
}
