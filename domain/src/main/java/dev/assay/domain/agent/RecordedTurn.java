package dev.assay.domain.agent;

import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Measured;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recorded turn of an agent loop. A worker that resumes the loop neither asks the model for it nor runs its finished tools again.
 *
 * @param turn from 1
 * @param elapsed time of the loop when the model had answered
 * @param calls the calls that were begun, by their place in the message, from 0
 * @param warnings what users should know of the answer, as sentences
 */
public record RecordedTurn(
        int turn,
        Message message,
        Measured measured,
        Duration elapsed,
        Map<Integer, Call> calls,
        Provenance provenance,
        List<String> warnings) {

    public RecordedTurn {
        calls = Map.copyOf(calls);
        warnings = List.copyOf(warnings);
    }

    /**
     * A call that was begun.
     *
     * @param result that the model gets; null: the call's end is unknown
     */
    public record Call(@Nullable Message result) {}
}
