package dev.assay.store.evaluation;

import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.EventOrder;
import dev.assay.store.page.PageEnd;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Octets;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The events of evaluations. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class EventRepository implements QueryRepository {

    private static final String AFTER = "SELECT * FROM (SELECT e.*, sum(" + Octets.ofValues("e.body") + """
        ) OVER (ORDER BY e.number) AS upto, row_number() OVER (ORDER BY e.number) AS place
            FROM (SELECT * FROM evaluation_event WHERE evaluation_id = ? AND number > ? ORDER BY number LIMIT ?) e) e
        WHERE e.place = 1 OR e.upto <= ? ORDER BY e.number\
        """;

    private final Sql sql;

    EventRepository(Sql sql) {
        this.sql = sql;
    }

    /** Appends events in order, without those that are no longer allowed (see {@link EventOrder}). */
    @Transactional
    public void append(String evaluationId, List<AgentEvent> events) {
        EventWriter.append(sql, Map.of(evaluationId, events));
    }

    /** Whether the evaluation's last event is stored. */
    @ReadOnly
    @Query("""
        SELECT coalesce((
            SELECT name FROM evaluation_event WHERE evaluation_id = :evaluationId ORDER BY number DESC LIMIT 1), '')
            = 'ParallelLoopEnd'
        """)
    public abstract boolean isOver(String evaluationId);

    /** Events of an evaluation whose number is above {@code number}, in order: at most {@code limit}, and the bytes of a page. */
    @ReadOnly
    public List<EvaluationEvent> after(String evaluationId, long number, int limit) {
        return sql.list(AFTER, EventRepository::read, evaluationId, number, limit, PageEnd.MOST);
    }

    private static EvaluationEvent read(ResultSet row) throws SQLException {
        return new EvaluationEvent(
                row.getLong("number"),
                row.getString("loop_id"),
                row.getString("name"),
                row.getString("body"),
                Columns.instant(row, "at"));
    }
}
