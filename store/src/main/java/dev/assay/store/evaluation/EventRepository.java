package dev.assay.store.evaluation;

import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import io.micronaut.transaction.annotation.Transactional;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The events of evaluations. Whoever appends holds the evaluation's row until it has committed: an event becomes visible only
 * after all that have a smaller number, so a reader that goes on after the last number it saw misses none.
 */
@Singleton
public class EventRepository {

    private final Sql sql;

    EventRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * An event that has no number yet.
     *
     * @param loopId the loop; null for events of the evaluation itself
     * @param name such as {@code TurnStart}
     * @param body the event as JSON
     * @param once whether it happens once only in its loop or, where there is none, in the evaluation: it is left out when
     *     it is there already
     */
    public record NewEvent(
            @Nullable String loopId, String name, String body, boolean once) {}

    /** Appends events in order. */
    @Transactional
    public void append(String evaluationId, List<NewEvent> events) {
        sql.first("SELECT 1 FROM evaluation WHERE evaluation_id = ? FOR UPDATE", row -> true, evaluationId);
        List<NewEvent> fresh = events.stream()
                .filter(event -> !event.once() || !exists(evaluationId, event))
                .toList();
        long last = sql.first(
                        "UPDATE evaluation SET events = events + ? WHERE evaluation_id = ? RETURNING events",
                        row -> row.getLong("events"),
                        fresh.size(),
                        evaluationId)
                .orElseThrow(() -> new IllegalArgumentException("There is no evaluation " + evaluationId));
        long first = last - fresh.size() + 1;
        sql.batch(
                "INSERT INTO evaluation_event (evaluation_id, number, loop_id, name, body) VALUES (?, ?, ?, ?, ?::jsonb)",
                IntStream.range(0, fresh.size()).boxed().toList(),
                i -> new @Nullable Object[] {
                    evaluationId,
                    first + i,
                    fresh.get(i).loopId(),
                    fresh.get(i).name(),
                    fresh.get(i).body()
                });
    }

    private boolean exists(String evaluationId, NewEvent event) {
        return sql.first(
                        """
                        SELECT 1 FROM evaluation_event
                        WHERE evaluation_id = ? AND name = ? AND loop_id IS NOT DISTINCT FROM ? LIMIT 1\
                        """,
                        row -> true,
                        evaluationId,
                        event.name(),
                        event.loopId())
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
