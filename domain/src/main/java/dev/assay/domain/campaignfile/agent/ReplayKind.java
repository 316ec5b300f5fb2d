package dev.assay.domain.campaignfile.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.replay.CassetteEntryReader;
import java.util.List;
import java.util.stream.Stream;

/** The kind of recorded answers. */
public final class ReplayKind implements AgentKind<Agent.Replay> {

    @Override
    public String word() {
        return Agent.PROVIDER_REPLAY;
    }

    @Override
    public Class<Agent.Replay> type() {
        return Agent.Replay.class;
    }

    @Override
    public boolean isFree() {
        return true;
    }

    @Override
    public List<String> fields() {
        return Stream.concat(ChoiceFields.NAMES.stream(), Stream.of("cassette")).toList();
    }

    @Override
    public List<Fields> objects() {
        return List.of(CassetteEntryReader.FIELDS);
    }

    @Override
    public Agent.Replay read(FieldReader fields, CassetteField cassettes) {
        return new Agent.Replay(ChoiceFields.read(fields), cassettes.id(fields));
    }

    @Override
    public void write(Agent.Replay agent, ObjectNode node) {
        node.setAll(agent.choice().asRequested());
        node.put("cassette", StoredCassettes.name(agent.cassetteId()));
    }

    @Override
    public void checkEmbedding(Agent.Replay agent, String path, Problems problems) {
        ChoiceFields.checkEmbedding(agent.choice(), path, problems);
    }
}
