package dev.assay.activities.code;

import dev.assay.activities.command.CodePermission;
import dev.assay.domain.agent.CodeAgent;
import dev.assay.store.provider.ProviderQueries;
import jakarta.inject.Singleton;

/** Own code in Python, as an agent. */
@Singleton
final class PythonAgents extends CodeAgents<CodeAgent.Python> {

    PythonAgents(CodeProcesses processes, CodePermission permission, ProviderQueries workers) {
        super(processes, permission, workers);
    }

    @Override
    public Class<CodeAgent.Python> type() {
        return CodeAgent.Python.class;
    }
}
