package dev.assay.domain.event;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order of events, and which may still be emitted. A loop begins and ends once, and so does the evaluation; between begin and
 * end of a loop are its other events. A process that emits events may not know those of others. A loop that goes on in another
 * worker begins again, and an attempt that was discarded does not know that it was. Events that are too early, too late or repeated
 * are left out.
 */
public final class EventOrder {

    private static final String END = "ParallelLoopEnd";
    private static final String LOOP_START = "AgentStart";
    private static final String LOOP_END = "AgentEnd";

    /** Names of the events that happen once, in a loop or in the evaluation. The rest follows from them. */
    public static final List<String> ONCE = List.of("ParallelLoopStart", END, LOOP_START, LOOP_END);

    private static final Failure ABANDONED =
            new Failure(ErrorCode.CANCELLED, "The evaluation ended before the loop did.");

    /**
     * The record that an event was emitted which happens only once.
     *
     * @param loopId the loop; null: the evaluation
     * @param name one of {@link #ONCE}
     */
    public record Told(@Nullable String loopId, String name) {}

    private final Set<Told> told;

    /** The order of one evaluation's events. */
    public EventOrder(Collection<Told> told) {
        this.told = new HashSet<>(told);
    }

    /** The loop of an event; null: it is of the evaluation. */
    public static @Nullable String loopId(AgentEvent event) {
        return event instanceof AgentEvent.OfLoop loop ? loop.loopId() : null;
    }

    /**
     * The events to emit when {@code event} happens, which counts as emitted then: the event itself, or none. The end of the
     * evaluation first ends loops that no worker resumes.
     */
    public List<AgentEvent> next(AgentEvent event) {
        if (told.contains(new Told(null, END))) {
            return List.of();
        }
        return switch (event) {
            case AgentEvent.ParallelLoopEnd end -> ended(end);
            case AgentEvent.ParallelLoopStart start -> told(null, start).toList();
            case AgentEvent.AgentStart start -> told(start.loopId(), start).toList();
            case AgentEvent.AgentEnd end ->
                isBegun(end) ? told(end.loopId(), end).toList() : List.of();
            case AgentEvent.OfLoop step ->
                isBegun(step) && !told.contains(new Told(step.loopId(), LOOP_END)) ? List.of(event) : List.of();
        };
    }

    private List<AgentEvent> ended(AgentEvent.ParallelLoopEnd end) {
        List<AgentEvent> events = new ArrayList<>();
        open().forEach(loopId -> events.addAll(next(abandoned(loopId, end))));
        told(null, end).forEach(events::add);
        return events;
    }

    private boolean isBegun(AgentEvent.OfLoop event) {
        return told.contains(new Told(event.loopId(), LOOP_START));
    }

    private Stream<AgentEvent> told(@Nullable String loopId, AgentEvent event) {
        return told.add(new Told(loopId, event.name())) ? Stream.of(event) : Stream.empty();
    }

    /** Loops that have begun and not ended. */
    private List<String> open() {
        return told.stream()
                .filter(begun -> begun.name().equals(LOOP_START))
                .map(begun -> Objects.requireNonNull(begun.loopId()))
                .filter(loopId -> !told.contains(new Told(loopId, LOOP_END)))
                .sorted()
                .toList();
    }

    private static AgentEvent.AgentEnd abandoned(String loopId, AgentEvent.ParallelLoopEnd end) {
        return new AgentEvent.AgentEnd(
                end.sessionId(),
                loopId,
                OutcomeStatus.CANCELLED,
                List.of(),
                Usage.NONE,
                null,
                ABANDONED,
                end.timestamp());
    }
}
