package dev.assay.domain.campaignfile.http;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.document.Problems;
import dev.assay.domain.tool.SystemAddress;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolReader;

/** The rules of campaigns with systems under test. */
public final class HttpRules {

    private HttpRules() {}

    /**
     * Reports an address that no worker may ask, and variables that workers do not have for it.
     *
     * @param path of the branch in the document
     */
    public static void check(Agent agent, ToolPolicy policy, String path, Problems problems) {
        if (agent instanceof Agent.Http(AgentHttp system, var _)) {
            ToolReader.checkAddress(SystemAddress.sample(system.url()), system.headers(), policy, path, problems);
        }
    }
}
