package dev.assay.domain.evaluator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.json.Json;
import dev.assay.domain.replay.RequestKey;
import org.jspecify.annotations.Nullable;

/** The field {@code model} of definitions: the agent that is asked, with all that may change what it says. */
final class AskedModel {

    private AskedModel() {}

    /** @param endpoint where its provider is asked; null: it has no address */
    static void writeTo(ObjectNode definition, Agent agent, @Nullable String endpoint, UsedCode code) {
        definition.set("model", model(agent, endpoint));
        if (agent.ownCode().isPresent()) {
            code.writeTo(definition);
        }
    }

    private static ObjectNode model(Agent agent, @Nullable String endpoint) {
        ModelChoice choice = agent.modelAsked().orElse(null);
        if (choice != null) {
            ObjectNode model = choice.asRequested();
            return endpoint == null ? model : model.put("endpoint", endpoint);
        }
        ObjectNode written = Json.mapper().createObjectNode();
        AgentKinds.write(agent, written);
        return agent.isWritten()
                ? Json.mapper().createObjectNode().put("script", RequestKey.sha256(RequestKey.canonical(written)))
                : written;
    }
}
