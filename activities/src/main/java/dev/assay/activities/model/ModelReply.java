package dev.assay.activities.model;

import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.StorableMessages;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a model answered.
 *
 * @param message the reply
 * @param usage tokens as the provider counts them
 * @param costUsd what it cost; null where no price is known
 * @param latency from request to reply; of a replay, as recorded
 * @param warnings what users should know of it, as sentences
 */
public record ModelReply(
        Message message, Usage usage, @Nullable BigDecimal costUsd, Duration latency, List<String> warnings) {

    private static final String MADE_STORABLE =
            "The model's answer held characters, numbers or nesting that cannot be stored; U+FFFD or a text stands in"
                    + " their place.";

    public ModelReply {
        warnings = List.copyOf(warnings);
    }

    /** A reply of which there is nothing to warn. */
    public ModelReply(Message message, Usage usage, @Nullable BigDecimal costUsd, Duration latency) {
        this(message, usage, costUsd, latency, List.of());
    }

    /** The same reply with a message that can be stored, and a warning where it is another one. */
    public ModelReply storable() {
        Message storable = StorableMessages.of(message);
        return storable.equals(message)
                ? this
                : new ModelReply(
                        storable,
                        usage,
                        costUsd,
                        latency,
                        Stream.concat(warnings.stream(), Stream.of(MADE_STORABLE))
                                .toList());
    }

    /** The reply of a turn that is on record. */
    public static ModelReply of(RecordedTurn turn) {
        return new ModelReply(turn.message(), turn.usage(), turn.costUsd(), turn.latency());
    }

    /**
     * The turn to be put on record.
     *
     * @param turn from 1
     * @param elapsed time of the loop until now
     */
    public RecordedTurn recorded(int turn, Duration elapsed) {
        return new RecordedTurn(turn, message, usage, costUsd, latency, elapsed, Map.of());
    }

    /** The tools that the model calls, in order. */
    public List<Content.ToolCall> toolCalls() {
        return message.toolCalls();
    }
}
