package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.InputFilterReader;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.Limits;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.campaignfile.strategy.StrategyKinds;
import dev.assay.domain.check.code.CodeReader;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.tool.ToolWriter;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a definition as the document that is stored, in the words of the campaign file. It writes defaults out, so that a
 * stored campaign keeps its meaning when a default changes. It leaves out absent fields.
 */
public final class DefinitionWriter {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private DefinitionWriter() {}

    /**
     * The document of a definition.
     *
     * @param description for people; null: none
     */
    public static ObjectNode write(CampaignDefinition definition, @Nullable String description) {
        ObjectNode document = NODES.objectNode();
        document.put("name", definition.name());
        putText(document, "description", description);
        ArrayNode branches = document.putArray("branches");
        definition.branches().forEach(branch -> branches.add(branch(branch)));
        document.put(
                DefinitionReader.TEMPLATE_VARS,
                definition.branches().stream()
                        .anyMatch(branch -> branch.wording().templateVars()));
        document.put("trials", definition.trials());
        document.set("strategy", StrategyKinds.write(definition.strategy()));
        document.set("gate", gate(definition.gate()));
        LostReader.write(definition.gate().demands().lost(), document);
        document.set("limits", limits(definition.limits()));
        if (definition.groupBy() != null) {
            document.putObject("statistics").put("groupBy", definition.groupBy().word());
        }
        definition.reducers().forEach(reducer -> document.withArray("reducers").add(reducer.name()));
        definition.graders().forEach(grader -> {
            ObjectNode written = document.withArray("grader").addObject();
            AgentKinds.write(grader.agent(), written);
            DeliveryReader.write(grader.delivery(), written);
        });
        CodeFilesReader.write(definition.code(), document);
        ReuseReader.write(definition.reuse(), document);
        if (definition.isAnswered()) {
            document.put(CampaignReader.ANSWERED, true);
        }
        return document;
    }

    private static ObjectNode branch(Branch branch) {
        ObjectNode node = NODES.objectNode();
        if (branch.isNamed()) {
            node.put("id", branch.id());
        }
        Agent agent = branch.agent().asWritten();
        AgentKinds.write(agent, node);
        putText(node, "systemPrompt", branch.systemPrompt());
        if (branch.wording().template() != null) {
            node.set("template", branch.wording().template().toJson());
        }
        if (branch.wording().promptCode() != null) {
            node.set(CodeReader.TEMPLATE, branch.wording().promptCode().json());
        }
        if (branch.wording().transform() != null) {
            node.set(CodeReader.TRANSFORM, branch.wording().transform().json());
        }
        putText(node, BranchReader.LOST, branch.wording().lost());
        if (AgentKinds.takes(agent, "limits")) {
            putBounds(node.putObject("limits"), branch.limits());
        }
        if (!branch.tools().isEmpty()) {
            node.set("tools", ToolWriter.write(branch.tools().tools()));
            node.put("toolExecution", branch.tools().sequential() ? BranchReader.SEQUENTIAL : BranchReader.PARALLEL);
        }
        branch.inputFilters().forEach(filter -> node.withArray("inputFilters").add(InputFilterReader.write(filter)));
        if (branch.maxContextTokens() != null) {
            node.put("maxContextTokens", branch.maxContextTokens());
        }
        DeliveryReader.write(branch.delivery(), node);
        return node;
    }

    private static void putBounds(ObjectNode limits, AgentLimits bounds) {
        limits.put("maxTurns", bounds.maxTurns());
        limits.put("maxTokens", bounds.maxTokens());
        putSeconds(limits, "maxSeconds", bounds.maxDuration());
        putMoney(limits, "maxCostUsd", bounds.maxCostUsd());
    }

    private static ObjectNode gate(GatePolicy gate) {
        ObjectNode node = NODES.objectNode();
        putShare(node, "passThreshold", gate.passThreshold());
        putShare(node, "suiteThreshold", gate.suiteThreshold());
        ArrayNode branches = node.putArray("branches");
        gate.branches().forEach(branches::add);
        GateDemands demands = gate.demands();
        putShare(node, "minAgreement", demands.minAgreement());
        // Builds that do not know these fields read what was stored without them.
        if (demands.errors() != GateDemands.NONE.errors()) {
            node.set("errors", Json.mapper().valueToTree(demands.errors()));
        }
        if (demands.maxErrorRate() != GateDemands.NONE.maxErrorRate()) {
            putShare(node, "maxErrorRate", demands.maxErrorRate());
        }
        if (gate.rule() != null) {
            node.set("rule", Json.mapper().valueToTree(gate.rule()));
        }
        if (gate.baseline() != null) {
            ObjectNode baseline =
                    node.putObject("baseline").put("campaign", gate.baseline().campaign());
            putText(baseline, "branch", gate.baseline().branch());
            putShare(baseline, "maxDrop", gate.baseline().maxDrop());
            // Builds that do not know the field read what was stored without it.
            if (gate.baseline().pair() != Pairing.CONTENT) {
                baseline.put("pair", gate.baseline().pair().word());
            }
        }
        return node;
    }

    private static void putShare(ObjectNode node, String name, @Nullable Double share) {
        if (share != null) {
            node.set(name, JsonNumbers.node(BigDecimal.valueOf(share)));
        }
    }

    private static ObjectNode limits(Limits limits) {
        ObjectNode node = NODES.objectNode();
        node.put("maxConcurrent", limits.maxConcurrent());
        putMoney(node, "budgetUsd", limits.budgetUsd());
        putSeconds(node, "timeoutSeconds", limits.timeout());
        node.put("maxAttempts", limits.maxAttempts());
        // Documents of earlier builds have none.
        if (!limits.maxOutage().equals(Limits.DEFAULT.maxOutage())) {
            node.put("maxOutage", limits.maxOutage().toString());
        }
        return node;
    }

    private static void putText(ObjectNode node, String name, @Nullable String text) {
        if (text != null) {
            node.put(name, text);
        }
    }

    private static void putMoney(ObjectNode node, String name, @Nullable BigDecimal usd) {
        if (usd != null) {
            node.set(name, JsonNumbers.node(usd));
        }
    }

    private static void putSeconds(ObjectNode node, String name, Duration duration) {
        node.set(name, JsonNumbers.node(BigDecimal.valueOf(duration.toMillis(), 3)));
    }
}
