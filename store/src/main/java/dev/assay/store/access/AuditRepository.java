package dev.assay.store.access;

import dev.assay.domain.error.AssayException;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of changes and refusals: what, by whom, when and from where. Rows are only added and completed, never removed.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class AuditRepository implements QueryRepository {

    // Absolute numbers under a number that was given before: a transaction whose end nobody heard of may come again.
    private static final String WRITE_REFUSAL = """
        INSERT INTO audit (audit_id, at, actor, origin, action, object, status, refused, repeated)
        OVERRIDING SYSTEM VALUE VALUES (?, ?, ?, ?, ?, ?, ?, true, ?)
        ON CONFLICT (audit_id) DO UPDATE SET repeated = EXCLUDED.repeated\
        """;

    private final Sql sql;

    AuditRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * Records a change before it is made.
     *
     * @param object the id that it is about; null: none, or not known yet
     * @return the number of the row
     */
    @Transactional
    public long begin(Actor actor, String action, @Nullable String object) {
        return insert(actor.who(), AuditText.of(action), actor.from(), AuditText.orNull(object));
    }

    /**
     * Records the status of the answer.
     *
     * @param made the id of what was made; null: nothing was
     */
    @Transactional
    @Query("""
        UPDATE audit SET status = :status, refused = :status IN (401, 403, 429), object = coalesce(:made, object)
        WHERE audit_id = :id
        """)
    public abstract void end(long id, int status, @Nullable String made);

    @Query("""
        INSERT INTO audit (actor, action, origin, object) VALUES (:who, :what, :from, :object) RETURNING audit_id
        """)
    abstract long insert(String who, String what, String from, @Nullable String object);

    /** Numbers for {@code count} rows of refusals. Those that are not used are lost, which harms nothing. */
    @Transactional
    public List<Long> numbers(int count) {
        return sql.list(
                "SELECT nextval('audit_audit_id_seq') FROM generate_series(1, ?)", row -> row.getLong(1), count);
    }

    /** Adds rows of refusals, and brings those that are there up to date. Idempotent. */
    @Transactional
    public void writeRefusals(List<RefusalRow> rows) {
        sql.batch(
                WRITE_REFUSAL,
                rows,
                row -> Sql.row(
                        row.id(),
                        row.request().at(),
                        row.request().by().who(),
                        row.request().by().from(),
                        row.request().what(),
                        row.request().object(),
                        row.request().status(),
                        row.repeated()));
    }

    /**
     * A page of rows, the newest first.
     *
     * @param pageToken where to go on; null: at the newest
     * @param pageSize at most so many, at least 1
     * @throws AssayException INVALID_INPUT when the token is none
     */
    @ReadOnly
    public Page<AuditRow> page(AuditFilter filter, @Nullable String pageToken, int pageSize) {
        List<Object> parameters = new ArrayList<>();
        String where = condition(filter, parameters);
        if (pageToken != null) {
            PageToken token = PageToken.parse(pageToken, 2);
            where += " AND (at, audit_id) < (?, ?)";
            parameters.add(token.instant(0));
            parameters.add(token.number(1));
        }
        parameters.add(pageSize + 1);
        List<AuditRow> found = sql.list(
                "SELECT * FROM audit WHERE true" + where + " ORDER BY at DESC, audit_id DESC LIMIT ?",
                AuditRepository::read,
                parameters.toArray());
        return Page.first(pageSize, found, last -> PageToken.of(last.at(), last.id()));
    }

    private static String condition(AuditFilter filter, List<Object> parameters) {
        StringBuilder where = new StringBuilder();
        add(where, " AND actor = ?", filter.who(), parameters);
        add(where, " AND object = ?", filter.object(), parameters);
        add(where, " AND at >= ?", filter.from(), parameters);
        add(where, " AND at < ?", filter.to(), parameters);
        add(where, " AND refused = ?", filter.refused(), parameters);
        return where.toString();
    }

    private static void add(StringBuilder where, String condition, @Nullable Object wanted, List<Object> parameters) {
        if (wanted != null) {
            where.append(condition);
            parameters.add(wanted);
        }
    }

    private static AuditRow read(ResultSet row) throws SQLException {
        return new AuditRow(
                row.getLong("audit_id"),
                Columns.instant(row, "at"),
                row.getString("actor"),
                row.getString("action"),
                row.getString("origin"),
                row.getObject("status", Integer.class),
                row.getString("object"),
                row.getBoolean("refused"),
                row.getLong("repeated"));
    }
}
