package dev.assay.store.imported;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.results.ComparedAggregate;
import dev.assay.domain.results.ImportHeader;
import dev.assay.domain.results.ImportOrigin;
import dev.assay.domain.results.ImportedFile;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import dev.assay.store.suite.ContentLock;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Imports: their pieces while they arrive, and what is said of the campaigns that were made of them. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class ImportRepository implements QueryRepository {

    private static final TypeReference<List<ComparedAggregate>> METRICS = new TypeReference<>() {};

    /** Imports that arrive at the same time, in the installation. */
    private static final int MOST = 64;

    private static final String IS_STALE = "touched_at < now() - interval '1 hour'";

    private static final String ROOM =
            "SELECT 1 FROM import_upload WHERE campaign_id IS NULL AND NOT " + IS_STALE + " HAVING count(*) < ?";

    private static final String BEGIN =
            "INSERT INTO import_upload (import_id, header, created_by) VALUES (?, ?::jsonb, ?)";

    private static final String FIND = """
        UPDATE import_upload SET touched_at = now() WHERE import_id = ? AND NOT %s
        RETURNING import_id, header, created_by, next_sequence, campaign_id\
        """.formatted(IS_STALE);

    private static final String STALE = "SELECT import_id FROM import_upload WHERE " + IS_STALE
            + " ORDER BY touched_at LIMIT 1 FOR UPDATE SKIP LOCKED";

    private static final String REMOVE_PIECES = """
        DELETE FROM import_piece WHERE import_id = ? AND sequence IN (
            SELECT sequence FROM import_piece WHERE import_id = ? ORDER BY sequence LIMIT ?)\
        """;

    private static final String ADD = """
        INSERT INTO import_piece (import_id, sequence, content) VALUES (?, ?, ?)
        ON CONFLICT (import_id, sequence) DO NOTHING\
        """;

    private static final String SAME_PIECE =
            "SELECT 1 FROM import_piece WHERE import_id = ? AND sequence = ? AND content = ?";

    private static final String KNOWN = """
        SELECT i.campaign_id FROM imported_campaign i JOIN campaign c USING (campaign_id)
        WHERE i.import_key = ? AND c.deleted_at IS NULL ORDER BY c.created_at LIMIT 1\
        """;

    private static final String INSERT = """
        INSERT INTO imported_campaign (campaign_id, import_key, tool, tool_version, created_at, complete, metrics)
        VALUES (?, ?, ?, ?, ?, ?, ?::jsonb)\
        """;

    private static final String INSERT_FILE =
            "INSERT INTO import_file (campaign_id, place, name, sha256, size) VALUES (?, ?, ?, ?, ?)";

    private final Sql sql;

    ImportRepository(Sql sql) {
        this.sql = sql;
    }

    /** Begins an import; false: too many arrive. */
    @Transactional
    public boolean begin(String importId, String header, @Nullable String createdBy) {
        if (!sql.exists(ROOM, MOST)) {
            return false;
        }
        sql.update(BEGIN, importId, header, createdBy);
        return true;
    }

    /**
     * Removes a part of an import that had no request for an hour. Nobody can go on with it.
     *
     * @param most pieces, of 16 MiB at most each
     * @return how many rows went; 0: there is no such import
     */
    @Transactional
    public int removeStale(int most) {
        String stale = sql.first(STALE, row -> row.getString("import_id")).orElse(null);
        if (stale == null) {
            return 0;
        }
        int pieces = sql.update(REMOVE_PIECES, stale, stale, most);
        return pieces < most ? pieces + sql.update("DELETE FROM import_upload WHERE import_id = ?", stale) : pieces;
    }

    /**
     * An import, which then stays for another hour; empty: there is none, or it had no request for an hour. Locks it until the
     * transaction ends.
     */
    @Transactional
    public Optional<ImportUpload> use(String importId) {
        return sql.first(
                FIND,
                row -> new ImportUpload(
                        row.getString("import_id"),
                        row.getString("header"),
                        row.getString("created_by"),
                        row.getInt("next_sequence"),
                        row.getString("campaign_id")),
                importId);
    }

    /**
     * Keeps the next piece of an import; a piece that is there already may come again.
     *
     * @throws AssayException CONFLICT when it is not the next one, or has other content than before
     */
    @Transactional
    public void add(ImportUpload upload, int sequence, byte[] content) {
        if (sequence > upload.pieces()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Piece " + sequence + " comes too early: send piece " + upload.pieces() + " next");
        }
        boolean isNew = sql.update(ADD, upload.id(), sequence, content) == 1;
        if (isNew) {
            sql.update("UPDATE import_upload SET next_sequence = ? WHERE import_id = ?", sequence + 1, upload.id());
        } else if (!sql.exists(SAME_PIECE, upload.id(), sequence, content)) {
            throw new AssayException(
                    ErrorCode.CONFLICT, "Piece " + sequence + " was sent with other content: begin a new import");
        }
    }

    /** A piece of an import. */
    @ReadOnly
    public byte[] piece(String importId, int sequence) {
        return sql.first(
                        "SELECT content FROM import_piece WHERE import_id = ? AND sequence = ?",
                        row -> row.getBytes("content"),
                        importId,
                        sequence)
                .orElseThrow();
    }

    /** Gives an import up; nothing where there is none. */
    @Transactional
    @Query("DELETE FROM import_upload WHERE import_id = :importId AND campaign_id IS NULL")
    public abstract void remove(String importId);

    /** Waits for other imports of the same files, and finds their campaign; empty: there is none. */
    @Transactional
    public Optional<String> known(@Nullable String key) {
        if (key == null) {
            return Optional.empty();
        }
        ContentLock.remove(sql, "import " + key);
        return sql.first(KNOWN, row -> row.getString("campaign_id"), key);
    }

    /** Notes that a campaign was made of an import, or of the same files before. */
    @Transactional
    public void finish(String importId, String campaignId) {
        sql.update("UPDATE import_upload SET campaign_id = ? WHERE import_id = ?", campaignId, importId);
        sql.update("DELETE FROM import_piece WHERE import_id = ?", importId);
    }

    /** Stores where the results of a campaign come from. */
    @Transactional
    public void describe(String campaignId, ImportHeader header, boolean isComplete, List<ComparedAggregate> metrics) {
        ImportOrigin origin = header.origin();
        sql.update(
                INSERT,
                campaignId,
                header.key(),
                origin.tool(),
                origin.toolVersion(),
                origin.createdAt(),
                isComplete,
                Json.write(metrics));
        List<ImportedFile> files = origin.files();
        sql.batch(
                INSERT_FILE,
                IntStream.range(0, files.size()).boxed().toList(),
                i -> Sql.row(
                        campaignId,
                        i,
                        files.get(i).name(),
                        files.get(i).sha256(),
                        files.get(i).size()));
    }

    /** What the tool says of a campaign, beside what its lines come to. */
    @ReadOnly
    public List<ComparedAggregate> metrics(String campaignId) {
        return sql.first(
                        "SELECT metrics FROM imported_campaign WHERE campaign_id = ?",
                        row -> Columns.json(row, "metrics", METRICS),
                        campaignId)
                .orElse(List.of());
    }
}
