package dev.assay.activities.parrot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.FieldReader;
import java.util.List;

public final class ParrotKind implements AgentKind<Parrot> {

    @Override
    public String word() {
        return Parrot.WORD;
    }

    @Override
    public Class<Parrot> type() {
        return Parrot.class;
    }

    @Override
    public List<String> fields() {
        return List.of("phrase");
    }

    @Override
    public List<String> lacks() {
        return List.of("limits");
    }

    @Override
    public Parrot read(FieldReader fields, CassetteField cassettes) {
        return new Parrot(fields.text("phrase"));
    }

    @Override
    public void write(Parrot agent, ObjectNode node) {
        node.put("phrase", agent.phrase());
    }
}
