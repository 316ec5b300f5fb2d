package dev.assay.domain.campaignfile.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.provider.ProviderType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kind of models that providers offer: what an agent is that names no kind. */
public final class ModelKind implements AgentKind<Agent.Model> {

    /** Its word. */
    public static final String WORD = "model";

    @Override
    public String word() {
        return WORD;
    }

    @Override
    public Class<Agent.Model> type() {
        return Agent.Model.class;
    }

    @Override
    public @Nullable String provider() {
        return null;
    }

    @Override
    public List<String> fields() {
        return ChoiceFields.NAMES;
    }

    @Override
    public List<Fields> objects() {
        return List.of(ParametersReader.FIELDS, ParametersReader.RESPONSE_FORMAT);
    }

    @Override
    public Agent.Model read(FieldReader fields, CassetteField cassettes) {
        return new Agent.Model(ChoiceFields.read(fields));
    }

    @Override
    public void write(Agent.Model agent, ObjectNode node) {
        node.setAll(agent.choice().asRequested());
    }

    @Override
    public void checkEmbedding(Agent.Model agent, String path, Problems problems) {
        String provider = agent.choice().provider();
        if (provider.equals(ProviderType.ANTHROPIC.word())) {
            problems.add(
                    DocumentPath.field(path, "provider"),
                    "Provider " + provider + " has no embeddings; name another one.");
        }
        ChoiceFields.checkEmbedding(agent.choice(), path, problems);
    }
}
