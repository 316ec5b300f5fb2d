package dev.assay.domain.agent;

import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an agent loop has said and used until now, over all attempts.
 *
 * @param newMessages the prompts and everything after them
 * @param usage tokens of the turns that were answered
 * @param costUsd cost of these turns; null when there are none, or when that of any is not known
 * @param latency time that the model took for these turns
 * @param warnings what the loop warned of, as sentences
 */
public record LoopSoFar(
        List<Message> newMessages, Usage usage, @Nullable BigDecimal costUsd, Duration latency, List<String> warnings) {

    public LoopSoFar {
        newMessages = List.copyOf(newMessages);
        warnings = List.copyOf(warnings);
    }

    /**
     * What the turns on record say of a loop that does not go on.
     *
     * @param prompts what the user said
     * @param turns in order
     */
    public static LoopSoFar recorded(List<String> prompts, List<RecordedTurn> turns) {
        List<Message> messages = new ArrayList<>();
        prompts.forEach(prompt -> messages.add(Message.user(prompt)));
        Usage usage = Usage.NONE;
        BigDecimal cost = BigDecimal.ZERO;
        Duration latency = Duration.ZERO;
        for (RecordedTurn turn : turns) {
            messages.add(turn.message());
            new TreeMap<>(turn.calls())
                    .values().stream().map(RecordedTurn.Call::result).forEach(result -> {
                        if (result != null) {
                            messages.add(result);
                        }
                    });
            usage = usage.plus(turn.usage());
            cost = cost == null || turn.costUsd() == null ? null : cost.add(turn.costUsd());
            latency = latency.plus(turn.latency());
        }
        // A loop that never answered has said nothing, its prompts included.
        return turns.isEmpty()
                ? new LoopSoFar(List.of(), Usage.NONE, null, Duration.ZERO, List.of())
                : new LoopSoFar(messages, usage, cost, latency, List.of());
    }

    /** The text of the last assistant message that has one; empty when none has. */
    public String response() {
        return newMessages.reversed().stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .map(Message::text)
                .filter(text -> !text.isBlank())
                .findFirst()
                .orElse("");
    }
}
