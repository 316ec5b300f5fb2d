package dev.assay.store.evaluation;

import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.EventOrder;
import dev.assay.domain.json.Json;
import dev.assay.store.sql.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writer of events. It holds the evaluation's row until it has committed. So an event becomes visible only after all that have
 * a smaller number, and a reader that goes on after the last number misses none.
 */
public final class EventWriter {

    // In one order for all transactions, which take these rows last: no two of them wait for each other.
    private static final String LOCK = """
        SELECT evaluation_id, events FROM evaluation WHERE evaluation_id = ANY (?) ORDER BY evaluation_id FOR UPDATE\
        """;

    private static final String TOLD = """
        SELECT evaluation_id, loop_id, name FROM evaluation_event
        WHERE evaluation_id = ANY (?)
          AND name IN ('ParallelLoopStart', 'ParallelLoopEnd', 'AgentStart', 'AgentEnd')\
        """;

    private static final String INSERT = """
        INSERT INTO evaluation_event (evaluation_id, number, loop_id, name, body) VALUES (?, ?, ?, ?, ?::jsonb)\
        """;

    private EventWriter() {}

    private record Numbered(String evaluationId, long number, AgentEvent event) {}

    /**
     * Appends events in the current transaction, without those that are no longer allowed (see {@link EventOrder}).
     *
     * @param events by the evaluation, each in order; those of campaigns that are no evaluations are left out
     */
    public static void append(Sql sql, Map<String, List<AgentEvent>> events) {
        if (events.isEmpty()) {
            return;
        }
        Map<String, Long> last = sql.byKey(LOCK, row -> row.getString(1), row -> row.getLong(2), events.keySet());
        Map<String, List<EventOrder.Told>> told = sql.grouped(
                TOLD,
                row -> row.getString(1),
                row -> new EventOrder.Told(row.getString(2), row.getString(3)),
                last.keySet());
        List<Numbered> fresh = new ArrayList<>();
        last.replaceAll((evaluationId, number) -> {
            EventOrder order = new EventOrder(told.getOrDefault(evaluationId, List.of()));
            long next = number;
            for (AgentEvent event : events.getOrDefault(evaluationId, List.of())) {
                for (AgentEvent taken : order.next(event)) {
                    fresh.add(new Numbered(evaluationId, ++next, taken));
                }
            }
            return next;
        });
        sql.batch(
                "UPDATE evaluation SET events = ? WHERE evaluation_id = ?",
                List.copyOf(last.entrySet()),
                entry -> Sql.row(entry.getValue(), entry.getKey()));
        sql.batch(INSERT, fresh, EventWriter::columns);
    }

    private static @Nullable Object[] columns(Numbered event) {
        return Sql.row(
                event.evaluationId(),
                event.number(),
                EventOrder.loopId(event.event()),
                event.event().name(),
                Json.write(event.event()));
    }
}
