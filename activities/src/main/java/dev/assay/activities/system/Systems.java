package dev.assay.activities.system;

import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.tool.Secrets;
import dev.assay.activities.tool.ToolboxException;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.tool.SystemAddress;
import dev.assay.work.compute.Computing;
import java.util.Map;
import java.util.function.Supplier;

/** The clients of systems under test, as far as the operator of this worker allows their addresses. */
public final class Systems implements RunnableKind<Agent.Http>, AutoCloseable {

    /** Bytes of an answer, as of HTTP tools; more are an error. */
    static final long MAX_BODY_BYTES = 1024 * 1024;

    private final Toolboxes operator;
    final Computing computing;
    final WholeAnswers http = new WholeAnswers(MAX_BODY_BYTES);

    /**
     * @param operator knows the addresses and the values of their variables
     * @param computing finds answers in what comes back
     */
    public Systems(Toolboxes operator, Computing computing) {
        this.operator = operator;
        this.computing = computing;
    }

    @Override
    public Class<Agent.Http> type() {
        return Agent.Http.class;
    }

    /**
     * The client of {@code agent}.
     *
     * @throws ModelException TOOL_NOT_ALLOWED when the operator does not allow the address or a variable
     */
    @Override
    public ModelClient client(Agent.Http agent, Asking asking) {
        AgentHttp system = agent.system();
        Secrets secrets = new Secrets();
        try {
            Supplier<Map<String, String>> headers = operator.headers(
                    "branches of kind http", SystemAddress.sample(system.url()), system.headers(), secrets);
            return new SystemClient(this, system, asking, headers, secrets);
        } catch (ToolboxException e) {
            throw new ModelException(e.failure().code(), e.failure().message(), null, null);
        }
    }

    /** Whether requests may go to {@code target}. */
    boolean allows(java.net.URI target) {
        return operator.policy().covering(target).isPresent();
    }

    @Override
    public void close() {
        http.close();
    }
}
