package dev.assay.store.workspace;

import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;

/** Stored workspaces: uploaded piece by piece, and usable when the pieces make up the content that their id names. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class WorkspaceRepository implements QueryRepository {

    private static final String PIECE = "SELECT content FROM workspace_piece WHERE workspace_id = ? AND piece = ?";

    /** Uploads that are not complete, in the installation. */
    private static final int MAX_UPLOADS = 64;

    /** Bytes of their pieces together. */
    private static final long MAX_UPLOAD_BYTES = 2L << 30;

    private static final String ROOM = """
        SELECT 1 FROM workspace w LEFT JOIN workspace_piece p USING (workspace_id) WHERE NOT w.complete
        HAVING count(DISTINCT w.workspace_id) FILTER (WHERE w.workspace_id <> ?) < ?
           AND coalesce(sum(octet_length(p.content)) FILTER (WHERE w.workspace_id <> ? OR p.piece <> ?), 0) + ? <= ?\
        """;

    private final Sql sql;

    WorkspaceRepository(Sql sql) {
        this.sql = sql;
    }

    /** Whether the workspace is stored as a whole. Asking keeps it for an hour. */
    @Transactional
    @Query("UPDATE workspace SET used_at = now() WHERE workspace_id = :workspaceId AND complete")
    public abstract boolean touch(String workspaceId);

    /**
     * Stores a piece of a workspace that is not complete; a complete one does not change. Deletes workspaces that no campaign names
     * and that were unused for an hour, uploads without a new piece among them.
     *
     * @return false when it would be one upload too many, or one piece; nothing is stored then
     */
    @Transactional
    public boolean store(String workspaceId, int piece, byte[] content) {
        sql.update("""
            DELETE FROM workspace w WHERE used_at < now() - interval '1 hour'
              AND NOT EXISTS (SELECT 1 FROM campaign_workspace c WHERE c.workspace_id = w.workspace_id)\
            """);
        // One piece at a time, so that those that arrive at once do not pass the limits together.
        sql.exists("SELECT pg_advisory_xact_lock(hashtextextended('workspace uploads', 0))");
        if (!hasRoom(workspaceId, piece, content.length)) {
            return false;
        }
        sql.update("""
            INSERT INTO workspace (workspace_id) VALUES (?) ON CONFLICT (workspace_id) DO UPDATE SET used_at = now()\
            """, workspaceId);
        sql.update("""
            INSERT INTO workspace_piece (workspace_id, piece, content)
            SELECT workspace_id, ?, ? FROM workspace WHERE workspace_id = ? AND NOT complete
            ON CONFLICT (workspace_id, piece) DO UPDATE SET content = excluded.content\
            """, piece, content, workspaceId);
        return true;
    }

    private boolean hasRoom(String workspaceId, int piece, int bytes) {
        return sql.exists("SELECT 1 FROM workspace WHERE workspace_id = ? AND complete", workspaceId)
                || sql.exists(ROOM, workspaceId, MAX_UPLOADS, workspaceId, piece, bytes, MAX_UPLOAD_BYTES);
    }

    /** The decision about an archive. */
    @FunctionalInterface
    public interface ArchiveCheck {

        /** The sentence that says why it is refused; empty when it is accepted. */
        Optional<String> refusal(InputStream archive) throws IOException;
    }

    /** Makes a workspace usable. Its pieces do not change meanwhile. One that is usable already is not looked at. */
    @Transactional
    public UploadEnd complete(String workspaceId, int pieces, ArchiveCheck check) {
        Optional<Boolean> complete = sql.first(
                "SELECT complete FROM workspace WHERE workspace_id = ? FOR UPDATE",
                row -> row.getBoolean("complete"),
                workspaceId);
        if (complete.isEmpty()) {
            return new UploadEnd.Different();
        }
        if (!complete.get()) {
            sql.update("DELETE FROM workspace_piece WHERE workspace_id = ? AND piece >= ?", workspaceId, pieces);
            UploadEnd end = checked(workspaceId, pieces, check);
            if (end instanceof UploadEnd.Refused) {
                sql.update("DELETE FROM workspace WHERE workspace_id = ?", workspaceId);
            }
            if (!(end instanceof UploadEnd.Complete)) {
                return end;
            }
        }
        sql.update("UPDATE workspace SET complete = true, used_at = now() WHERE workspace_id = ?", workspaceId);
        return new UploadEnd.Complete();
    }

    /** An upload that went wrong is told so, whatever its archive has become. */
    private UploadEnd checked(String workspaceId, int pieces, ArchiveCheck check) {
        MessageDigest digest = sha256();
        try (PieceStream stored = new PieceStream(piece -> content(workspaceId, piece));
                InputStream archive = new DigestInputStream(stored, digest)) {
            Optional<String> refusal = check.refusal(archive);
            archive.transferTo(OutputStream.nullOutputStream());
            if (stored.count() != pieces
                    || !HexFormat.of().formatHex(digest.digest()).equals(workspaceId)) {
                return new UploadEnd.Different();
            }
            return refusal.<UploadEnd>map(UploadEnd.Refused::new).orElseGet(UploadEnd.Complete::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hands over the archive of a workspace piece by piece. True when it is stored. */
    @ReadOnly
    public boolean read(String workspaceId, Consumer<byte[]> consumer) {
        return sql.exists("SELECT 1 FROM workspace WHERE workspace_id = ? AND complete", workspaceId)
                && each(workspaceId, consumer) > 0;
    }

    private int each(String workspaceId, Consumer<byte[]> consumer) {
        int count = 0;
        for (Optional<byte[]> piece = content(workspaceId, count);
                piece.isPresent();
                piece = content(workspaceId, count)) {
            consumer.accept(piece.get());
            count++;
        }
        return count;
    }

    private Optional<byte[]> content(String workspaceId, int piece) {
        return sql.first(PIECE, row -> row.getBytes("content"), workspaceId, piece);
    }

    /** Records in the current transaction that a campaign names workspaces. True when all of them are stored. */
    public boolean name(String campaignId, Collection<String> workspaceIds) {
        return workspaceIds.stream().distinct().allMatch(id -> sql.update("""
            INSERT INTO campaign_workspace (campaign_id, workspace_id)
            SELECT ?, workspace_id FROM workspace WHERE workspace_id = ? AND complete FOR SHARE\
            """, campaignId, id) > 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
