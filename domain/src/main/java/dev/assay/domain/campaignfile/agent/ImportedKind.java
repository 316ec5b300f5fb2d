package dev.assay.domain.campaignfile.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.ImportedAgent;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.FieldReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kind of agents that another tool asked. Imports make them; campaign files cannot have them. */
public final class ImportedKind implements AgentKind<ImportedAgent> {

    @Override
    public String word() {
        return ImportedAgent.KIND;
    }

    @Override
    public Class<ImportedAgent> type() {
        return ImportedAgent.class;
    }

    @Override
    public @Nullable String provider() {
        return null;
    }

    @Override
    public boolean isFree() {
        return true;
    }

    @Override
    public boolean isAskedAnything() {
        return false;
    }

    @Override
    public boolean isOfCampaignFiles() {
        return false;
    }

    @Override
    public List<String> fields() {
        return ChoiceFields.NAMES;
    }

    @Override
    public ImportedAgent read(FieldReader fields, CassetteField cassettes) {
        return new ImportedAgent(ChoiceFields.read(fields));
    }

    @Override
    public void write(ImportedAgent agent, ObjectNode node) {
        node.setAll(agent.choice().asRequested());
    }
}
