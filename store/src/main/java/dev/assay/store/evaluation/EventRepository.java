package dev.assay.store.evaluation;

import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.EventOrder;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/** The events of evaluations. */
@Singleton
public class EventRepository {

    private static final String PARALLEL_LOOP_END = "ParallelLoopEnd";

    private final Sql sql;

    EventRepository(Sql sql) {
        this.sql = sql;
    }

    /** Appends events in order, but for those that may not be told any more (see {@link EventOrder}). */
    @Transactional
    public void append(String evaluationId, List<AgentEvent> events) {
        EventWriter.append(sql, Map.of(evaluationId, events));
    }

    /** Whether the evaluation's last event is told. */
    @ReadOnly
    public boolean isOver(String evaluationId) {
        return sql.first(
                        "SELECT name FROM evaluation_event WHERE evaluation_id = ? ORDER BY number DESC LIMIT 1",
                        row -> row.getString("name"),
                        evaluationId)
                .filter(PARALLEL_LOOP_END::equals)
                .isPresent();
    }

    /** At most {@code limit} events of an evaluation whose number is above {@code number}, in order. */
    @ReadOnly
    public List<EvaluationEvent> after(String evaluationId, long number, int limit) {
        return sql.list(
                """
                SELECT number, loop_id, name, body, at FROM evaluation_event
                WHERE evaluation_id = ? AND number > ? ORDER BY number LIMIT ?\
                """,
                row -> new EvaluationEvent(
                        row.getLong("number"),
                        row.getString("loop_id"),
                        row.getString("name"),
                        row.getString("body"),
                        Columns.instant(row, "at")),
                evaluationId,
                number,
                limit);
    }
}
