package dev.assay.store.evaluation;

import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.json.Json;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The events of evaluations. Whoever appends holds the evaluation's row until it has committed: an event becomes visible only
 * after all that have a smaller number, so a reader that goes on after the last number it saw misses none.
 */
@Singleton
public class EventRepository {

    private static final String PARALLEL_LOOP_END = "ParallelLoopEnd";

    private final Sql sql;

    EventRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * Appends events in order. What happens only once, in a loop or in the evaluation, is left out when it is there already: a
     * loop that goes on in another worker begins again.
     */
    @Transactional
    public void append(String evaluationId, List<AgentEvent> events) {
        sql.exists("SELECT 1 FROM evaluation WHERE evaluation_id = ? FOR UPDATE", evaluationId);
        List<AgentEvent> fresh = events.stream()
                .filter(event -> !happensOnce(event) || !exists(evaluationId, event))
                .toList();
        long last = sql.first(
                        "UPDATE evaluation SET events = events + ? WHERE evaluation_id = ? RETURNING events",
                        row -> row.getLong("events"),
                        fresh.size(),
                        evaluationId)
                .orElseThrow(() -> new IllegalArgumentException("There is no evaluation " + evaluationId));
        long first = last - fresh.size() + 1;
        sql.batch(
                "INSERT INTO evaluation_event (evaluation_id, number, loop_id, name, body) VALUES (?, ?, ?, ?,"
                        + " ?::jsonb)",
                IntStream.range(0, fresh.size()).boxed().toList(),
                i -> Sql.row(
                        evaluationId,
                        first + i,
                        loopId(fresh.get(i)),
                        fresh.get(i).name(),
                        Json.write(fresh.get(i))));
    }

    private static boolean happensOnce(AgentEvent event) {
        return switch (event) {
            case AgentEvent.ParallelLoopStart ignored -> true;
            case AgentEvent.ParallelLoopEnd ignored -> true;
            case AgentEvent.AgentStart ignored -> true;
            case AgentEvent.AgentEnd ignored -> true;
            case AgentEvent.OfLoop ignored -> false;
        };
    }

    private static @Nullable String loopId(AgentEvent event) {
        return event instanceof AgentEvent.OfLoop loop ? loop.loopId() : null;
    }

    private boolean exists(String evaluationId, AgentEvent event) {
        return sql.exists("""
            SELECT 1 FROM evaluation_event
            WHERE evaluation_id = ? AND name = ? AND loop_id IS NOT DISTINCT FROM ? LIMIT 1\
            """, evaluationId, event.name(), loopId(event));
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
