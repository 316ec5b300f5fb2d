package dev.assay.domain.agent;

import dev.assay.domain.message.Message;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.domain.usage.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The messages and usage of an agent loop, over all its attempts.
 *
 * @param newMessages what was added to the context: the prompts and everything after them
 * @param measured usage, cost and latency of the turns that were answered
 * @param finishReason why the model ended its last answer, in the provider's word; null where it does not say
 * @param warnings what the loop warned of, as sentences
 * @param provenance where the last answer comes from
 * @param program what the program left behind that answered; null: none did
 */
public record LoopSoFar(
        List<Message> newMessages,
        Measured measured,
        @Nullable String finishReason,
        List<String> warnings,
        Provenance provenance,
        @Nullable ProgramRun program) {

    /** Nothing was said. */
    public static final LoopSoFar NOTHING = new LoopSoFar(List.of(), Measured.NONE, null, List.of(), Provenance.NONE);

    /** The messages and usage of a loop that asks a model. */
    public LoopSoFar(
            List<Message> newMessages,
            Measured measured,
            @Nullable String finishReason,
            List<String> warnings,
            Provenance provenance) {
        this(newMessages, measured, finishReason, warnings, provenance, null);
    }

    public LoopSoFar {
        newMessages = List.copyOf(newMessages);
        warnings = List.copyOf(warnings);
    }

    /**
     * The recorded turns of a loop that does not go on. A loop without an answer has no messages, its prompts included.
     *
     * @param prompts what was said before the first turn
     * @param turns in order
     */
    public static LoopSoFar recorded(List<Message> prompts, List<RecordedTurn> turns) {
        List<Message> messages = new ArrayList<>(prompts);
        for (RecordedTurn turn : turns) {
            messages.add(turn.message());
            new TreeMap<>(turn.calls())
                    .values().stream()
                            .map(RecordedTurn.Call::result)
                            .filter(Objects::nonNull)
                            .forEach(messages::add);
        }
        return turns.stream()
                .map(RecordedTurn::measured)
                .reduce(Measured::plus)
                .map(measured -> new LoopSoFar(
                        messages,
                        measured,
                        null,
                        turns.stream()
                                .flatMap(turn -> turn.warnings().stream())
                                .distinct()
                                .toList(),
                        turns.getLast().provenance()))
                .orElse(NOTHING);
    }

    /** This, followed by the messages and usage of {@code later}. */
    public LoopSoFar then(LoopSoFar later) {
        return new LoopSoFar(
                Stream.concat(newMessages.stream(), later.newMessages.stream()).toList(),
                later.measured.equals(Measured.NONE) ? measured : measured.plus(later.measured),
                later.finishReason,
                Stream.concat(warnings.stream(), later.warnings.stream()).toList(),
                later.provenance,
                later.program);
    }
}
