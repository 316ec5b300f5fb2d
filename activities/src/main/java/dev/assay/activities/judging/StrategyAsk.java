package dev.assay.activities.judging;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import java.util.List;

/**
 * A request of a custom strategy to a model.
 *
 * @param model the name under which it asks
 */
public record StrategyAsk(String model, Agent agent, List<Message> messages) {

    public StrategyAsk {
        messages = List.copyOf(messages);
    }

    /** The messages as they are recorded. */
    public String text() {
        return Json.write(messages);
    }
}
