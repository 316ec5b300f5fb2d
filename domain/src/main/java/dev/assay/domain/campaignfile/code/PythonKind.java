package dev.assay.domain.campaignfile.code;

import dev.assay.domain.agent.CodeAgent;
import dev.assay.domain.check.code.CodeLanguage;

/** The kind of own code in Python. */
public final class PythonKind extends CodeAgentKind<CodeAgent.Python> {

    public PythonKind() {
        super(CodeLanguage.PYTHON, CodeAgent.Python.class, CodeAgent.Python::new);
    }
}
