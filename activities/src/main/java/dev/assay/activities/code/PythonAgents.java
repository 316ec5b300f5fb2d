package dev.assay.activities.code;

import dev.assay.activities.command.CodePermission;
import dev.assay.domain.agent.CodeAgent;
import jakarta.inject.Singleton;

/** Own code in Python, as an agent. */
@Singleton
final class PythonAgents extends CodeAgents<CodeAgent.Python> {

    PythonAgents(CodeProcesses processes, CodePermission permission, CodePlacing placing) {
        super(processes, permission, placing);
    }

    @Override
    public Class<CodeAgent.Python> type() {
        return CodeAgent.Python.class;
    }
}
