package dev.assay.domain.trace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request that a program sent to a model through the model proxy.
 *
 * @param turn which request of the attempt, from 1
 * @param model the provider's name of the model
 * @param status of the answer in HTTP; 0: there was none
 * @param latency from the request to the end of the answer; 0 where there was none
 * @param usage tokens as the provider reported them
 * @param costUsd in US dollars; null: not known
 * @param messages what was said; null: it is not kept
 */
public record ModelTurn(
        int turn,
        String model,
        int status,
        Duration latency,
        Usage usage,
        @Nullable BigDecimal costUsd,
        @Nullable Messages messages) {

    /** The words of a request and its answer, as they went over the network and as far as they are kept. */
    public record Messages(String request, String answer) {}

    /** The same with its messages. */
    public ModelTurn withMessages(String request, String answer) {
        return new ModelTurn(turn, model, status, latency, usage, costUsd, new Messages(request, answer));
    }

    /** The turn as the payload of an event of a trace, without its type. */
    ObjectNode payload() {
        ObjectNode payload = Json.mapper()
                .createObjectNode()
                .put("turn", turn)
                .put("model", model)
                .put("status", status)
                .put("latency_ms", latency.toMillis());
        payload.set("usage", Json.snakeCase(usage));
        payload.put("cost_usd", costUsd);
        if (messages != null) {
            payload.put("request", messages.request()).put("answer", messages.answer());
        }
        return payload;
    }
}
