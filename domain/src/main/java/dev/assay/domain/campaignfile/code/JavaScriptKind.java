package dev.assay.domain.campaignfile.code;

import dev.assay.domain.agent.CodeAgent;
import dev.assay.domain.check.code.CodeLanguage;

/** The kind of own code in JavaScript. */
public final class JavaScriptKind extends CodeAgentKind<CodeAgent.JavaScript> {

    public JavaScriptKind() {
        super(CodeLanguage.JAVASCRIPT, CodeAgent.JavaScript.class, CodeAgent.JavaScript::new);
    }
}
