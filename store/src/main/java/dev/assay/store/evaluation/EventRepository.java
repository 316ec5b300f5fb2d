package dev.assay.store.evaluation;

import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.EventOrder;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.util.List;
import java.util.Map;

/** The events of evaluations. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class EventRepository implements QueryRepository {

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

    /** At most {@code limit} events of an evaluation whose number is above {@code number}, in order. */
    @ReadOnly
    @Query("""
        SELECT number, loop_id, name, body, at FROM evaluation_event
        WHERE evaluation_id = :evaluationId AND number > :number ORDER BY number LIMIT :limit
        """)
    public abstract List<EvaluationEvent> after(String evaluationId, long number, int limit);
}
