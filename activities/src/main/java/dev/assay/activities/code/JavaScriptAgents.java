package dev.assay.activities.code;

import dev.assay.activities.command.CodePermission;
import dev.assay.domain.agent.CodeAgent;
import dev.assay.store.provider.ProviderQueries;
import jakarta.inject.Singleton;

/** Own code in JavaScript, as an agent. */
@Singleton
final class JavaScriptAgents extends CodeAgents<CodeAgent.JavaScript> {

    JavaScriptAgents(CodeProcesses processes, CodePermission permission, ProviderQueries workers) {
        super(processes, permission, workers);
    }

    @Override
    public Class<CodeAgent.JavaScript> type() {
        return CodeAgent.JavaScript.class;
    }
}
