package dev.assay.activities.model;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.StorableMessages;
import dev.assay.domain.usage.Measured;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a model.
 *
 * @param measured its usage: tokens as the provider counts them, and the time from request to reply; of a replay, as recorded
 * @param finishReason why the model ended it, in the provider's word; null where it does not say
 * @param warnings what users should know of it, as sentences
 * @param provenance what was sent for it and what served it, without what was requested
 */
public record ModelReply(
        Message message,
        Measured measured,
        @Nullable String finishReason,
        List<String> warnings,
        Provenance provenance) {

    private static final String MADE_STORABLE =
            "The model's answer held characters, numbers or nesting that cannot be stored; U+FFFD or a text stands in"
                    + " their place.";

    public ModelReply {
        warnings = List.copyOf(warnings);
    }

    /** A reply of which nothing else is known. */
    public ModelReply(Message message, Measured measured) {
        this(message, measured, null, List.of(), Provenance.NONE);
    }

    /** The same reply with a message that can be stored, and a warning where it is another one. */
    public ModelReply storable() {
        Message storable = StorableMessages.of(message);
        return storable.equals(message)
                ? this
                : new ModelReply(
                        storable,
                        measured,
                        finishReason,
                        Stream.concat(warnings.stream(), Stream.of(MADE_STORABLE))
                                .toList(),
                        provenance);
    }

    /** The reply of a turn that is on record. */
    public static ModelReply of(RecordedTurn turn) {
        return new ModelReply(turn.message(), turn.measured(), null, turn.warnings(), turn.provenance());
    }

    /**
     * The turn to be put on record.
     *
     * @param turn from 1
     * @param elapsed time of the loop until now
     */
    public RecordedTurn recorded(int turn, Duration elapsed) {
        return new RecordedTurn(turn, message, measured, elapsed, Map.of(), provenance, warnings);
    }
}
