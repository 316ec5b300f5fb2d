package dev.assay.domain.campaignfile.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import java.time.Duration;
import java.util.List;

/** The kind of declared answers. */
public final class ScriptedKind implements AgentKind<Agent.Scripted> {

    /** The agent that is read where the kind is wrong, which was reported. */
    public static final Agent STAND_IN =
            new Agent.Scripted(new Agent.Script(List.of(), Duration.ZERO, List.of(), null));

    @Override
    public String word() {
        return Agent.PROVIDER_SCRIPTED;
    }

    @Override
    public Class<Agent.Scripted> type() {
        return Agent.Scripted.class;
    }

    @Override
    public boolean isFree() {
        return true;
    }

    @Override
    public List<String> fields() {
        return List.of("script");
    }

    @Override
    public List<Fields> objects() {
        return List.of(ScriptReader.FIELDS, ScriptReader.FAILURE, ScriptReader.TURN, ScriptReader.CALL);
    }

    @Override
    public Agent.Scripted read(FieldReader fields, CassetteField cassettes) {
        return new Agent.Scripted(ScriptReader.read(fields));
    }

    @Override
    public void write(Agent.Scripted agent, ObjectNode node) {
        node.set("script", ScriptReader.write(agent.script()));
    }

    @Override
    public void checkEmbedding(Agent.Scripted agent, String path, Problems problems) {
        if (agent.script().echoes()) {
            problems.add(
                    DocumentPath.field(DocumentPath.field(path, "script"), "echo"),
                    "A script that stands for embeddings answers with the similarity; write `answers`, such as"
                            + " `[\"0.9\"]`.");
        }
    }
}
