package dev.assay.store.workspace;

import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
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
     * and that were unused for an hour.
     */
    @Transactional
    public void store(String workspaceId, int piece, byte[] content) {
        sql.update("""
            DELETE FROM workspace w WHERE used_at < now() - interval '1 hour'
              AND NOT EXISTS (SELECT 1 FROM campaign_workspace c WHERE c.workspace_id = w.workspace_id)\
            """);
        sql.update("""
            INSERT INTO workspace (workspace_id) VALUES (?) ON CONFLICT (workspace_id) DO UPDATE SET used_at = now()\
            """, workspaceId);
        sql.update("""
            INSERT INTO workspace_piece (workspace_id, piece, content)
            SELECT workspace_id, ?, ? FROM workspace WHERE workspace_id = ? AND NOT complete
            ON CONFLICT (workspace_id, piece) DO UPDATE SET content = excluded.content\
            """, piece, content, workspaceId);
    }

    /**
     * Makes a workspace usable.
     *
     * @param pieces how many it has
     * @return whether it is complete; else its pieces are not the content that the id names
     */
    @Transactional
    public boolean complete(String workspaceId, int pieces) {
        if (touch(workspaceId)) {
            return true;
        }
        sql.update("DELETE FROM workspace_piece WHERE workspace_id = ? AND piece >= ?", workspaceId, pieces);
        MessageDigest digest = sha256();
        return pieces == each(workspaceId, digest::update)
                && HexFormat.of().formatHex(digest.digest()).equals(workspaceId)
                && sql.update("UPDATE workspace SET complete = true WHERE workspace_id = ?", workspaceId) > 0;
    }

    /** Hands over the archive of a workspace piece by piece. True when it is stored. */
    @ReadOnly
    public boolean read(String workspaceId, Consumer<byte[]> consumer) {
        return sql.exists("SELECT 1 FROM workspace WHERE workspace_id = ? AND complete", workspaceId)
                && each(workspaceId, consumer) > 0;
    }

    /** One piece in memory at a time. */
    private int each(String workspaceId, Consumer<byte[]> consumer) {
        int count = 0;
        while (true) {
            Optional<byte[]> found = sql.first(PIECE, row -> row.getBytes("content"), workspaceId, count);
            if (found.isEmpty()) {
                return count;
            }
            consumer.accept(found.get());
            count++;
        }
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
