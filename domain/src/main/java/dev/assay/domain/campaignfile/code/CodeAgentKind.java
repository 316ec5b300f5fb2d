package dev.assay.domain.campaignfile.code;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.AgentCode;
import dev.assay.domain.agent.CodeAgent;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.check.code.CodeFields;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeReader;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.JsonNumbers;
import java.util.List;
import java.util.function.Function;

/**
 * The kind of agents whose answers own code in one language gives.
 *
 * @param <A> the agents of this kind
 */
abstract class CodeAgentKind<A extends CodeAgent> implements AgentKind<A> {

    private static final NumberRule MONEY = NumberRule.above(0, 1_000_000_000);

    private final CodeLanguage language;
    private final Class<A> type;
    private final Function<AgentCode, A> of;

    CodeAgentKind(CodeLanguage language, Class<A> type, Function<AgentCode, A> of) {
        this.language = language;
        this.type = type;
        this.of = of;
    }

    @Override
    public String word() {
        return language.word();
    }

    @Override
    public Class<A> type() {
        return type;
    }

    @Override
    public List<String> fields() {
        return List.of("file", "function", "config", "maxCostUsd");
    }

    @Override
    public List<String> lacks() {
        return List.of("tools", "toolExecution");
    }

    @Override
    public A read(FieldReader fields, CassetteField cassettes) {
        return of.apply(new AgentCode(
                new Script(language, null, CodeReader.file(language, fields), CodeReader.function(language, fields)),
                CodeFields.config(fields),
                fields.nullableDecimal("maxCostUsd", MONEY)));
    }

    @Override
    public void write(A agent, ObjectNode node) {
        AgentCode code = agent.code();
        node.put("file", code.script().file());
        if (code.script().function() != null) {
            node.put("function", code.script().function());
        }
        if (code.config() != null) {
            node.set("config", code.config());
        }
        if (code.maxCostUsd() != null) {
            node.set("maxCostUsd", JsonNumbers.node(code.maxCostUsd()));
        }
    }

    @Override
    public void checkEmbedding(A agent, String path, Problems problems) {
        problems.add(
                DocumentPath.field(path, "kind"),
                "Own code gives answers and no embeddings; name a provider and a model of embeddings.");
    }
}
