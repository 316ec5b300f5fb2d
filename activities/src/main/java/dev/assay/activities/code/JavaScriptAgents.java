package dev.assay.activities.code;

import dev.assay.activities.command.CodePermission;
import dev.assay.domain.agent.CodeAgent;
import jakarta.inject.Singleton;

/** Own code in JavaScript, as an agent. */
@Singleton
final class JavaScriptAgents extends CodeAgents<CodeAgent.JavaScript> {

    JavaScriptAgents(CodeProcesses processes, CodePermission permission, CodePlacing placing) {
        super(processes, permission, placing);
    }

    @Override
    public Class<CodeAgent.JavaScript> type() {
        return CodeAgent.JavaScript.class;
    }
}
