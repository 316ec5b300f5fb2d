package dev.assay.store.access;

import dev.assay.domain.text.Excerpt;
import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.util.List;

/** The record of changes: what, by whom, when and from where. Rows are only added and completed, never removed. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class AuditRepository implements QueryRepository {

    /** Longest stored request, in characters. */
    private static final int LONGEST = 500;

    /**
     * Records a change before it is made.
     *
     * @return the number of the row
     */
    @Transactional
    public long begin(Actor actor, String action) {
        return insert(actor.who(), Excerpt.of(action, LONGEST), actor.from());
    }

    /** Records the status of the answer. */
    @Transactional
    @Query("UPDATE audit SET status = :status WHERE audit_id = :id")
    public abstract void end(long id, int status);

    @Query("INSERT INTO audit (actor, action, origin) VALUES (:who, :what, :from) RETURNING audit_id")
    abstract long insert(String who, String what, String from);

    /** The latest rows, the newest first. */
    @ReadOnly
    @Query("""
        SELECT audit_id AS id, at, actor AS who, action AS what, origin AS "from", status
        FROM audit ORDER BY audit_id DESC LIMIT :most
        """)
    public abstract List<AuditRow> latest(int most);
}
