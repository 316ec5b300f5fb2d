package dev.assay.activities.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.agent.AgentRunner;
import dev.assay.activities.model.ModelClient;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.suite.Case;
import java.util.Map;

/**
 * The way to ask and run agents of one kind. Each kind has one, a singleton of the worker.
 *
 * @param <A> the agents of the kind
 */
public interface RunnableKind<A extends Agent> {

    /** The class of the kind's agents. */
    Class<A> type();

    /**
     * The client of {@code agent}; cheap enough to be asked for at each cell.
     *
     * @throws dev.assay.activities.model.ModelException PROVIDER_AUTH, PROVIDER_REJECTED or TOOL_NOT_ALLOWED when this process
     *     cannot ask it
     */
    ModelClient client(A agent, Asking asking);

    /** Whether this process can ask {@code agent}, as far as its kind knows; else other workers may. */
    default boolean canAsk(A agent) {
        return true;
    }

    /** Whether a conversation that outgrows the window of its branch is compacted. */
    default boolean compacts() {
        return true;
    }

    /**
     * The runner of an attempt.
     *
     * @param loop asks the client turn by turn, where the kind has no runner of its own
     */
    default AgentRunner runner(A agent, Running running, AgentRunner loop) {
        return loop;
    }

    /**
     * The surroundings of a request.
     *
     * @param queue whose turn it takes where something is computed
     * @param campaignId whose request it is
     * @param code the surroundings of the campaign's own code
     * @param label the branch's id; of what else asks, the agent's name
     */
    record Asking(String queue, Map<String, JsonNode> vars, String campaignId, CodeFiles code, String label) {

        /** The surroundings of what {@code attempt} asks {@code agent}. */
        public static Asking of(CellAttempt attempt, Agent agent, Map<String, JsonNode> vars) {
            CampaignDefinition definition = attempt.campaign().definition();
            Integer branch = attempt.cell().key().kind().branch(attempt.slot());
            return new Asking(
                    attempt.queue(),
                    vars,
                    attempt.campaign().id(),
                    definition.code(),
                    branch == null
                            ? agent.name().model()
                            : definition.branches().get(branch).id());
        }
    }

    /** The attempt that is run. */
    record Running(CellAttempt attempt, Case suiteCase, LedgeredClient client) {}
}
