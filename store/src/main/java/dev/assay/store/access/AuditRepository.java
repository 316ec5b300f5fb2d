package dev.assay.store.access;

import dev.assay.domain.text.Excerpt;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The record of changes: what, by whom, when and from where. Rows are only added and answered, never taken away. */
@Singleton
public class AuditRepository {

    /** Characters of what was asked. */
    private static final int LONGEST = 500;

    private static final String INSERT =
            "INSERT INTO audit (actor, action, origin) VALUES (?, ?, ?) RETURNING audit_id";

    private static final String LATEST = "SELECT * FROM audit ORDER BY audit_id DESC LIMIT ?";

    private final Sql sql;

    AuditRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * Writes down what is about to be done.
     *
     * @return the number of the row
     */
    @Transactional
    public long begin(Actor actor, String action) {
        return insert(actor, action);
    }

    /** Writes down how it was answered. */
    @Transactional
    public void end(long id, int status) {
        sql.update("UPDATE audit SET status = ? WHERE audit_id = ?", status, id);
    }

    /** Writes down what the transaction of the calling thread does. */
    void record(Actor actor, String action) {
        insert(actor, action);
    }

    private long insert(Actor actor, String action) {
        return sql.first(INSERT, row -> row.getLong(1), actor.who(), Excerpt.of(action, LONGEST), actor.from())
                .orElseThrow();
    }

    /** The latest rows, the newest first. */
    @ReadOnly
    public List<AuditRow> latest(int most) {
        return sql.list(LATEST, AuditRepository::read, most);
    }

    private static AuditRow read(ResultSet row) throws SQLException {
        return new AuditRow(
                row.getLong("audit_id"),
                Columns.instant(row, "at"),
                row.getString("actor"),
                row.getString("action"),
                row.getString("origin"),
                Columns.integerOrNull(row, "status"));
    }
}
