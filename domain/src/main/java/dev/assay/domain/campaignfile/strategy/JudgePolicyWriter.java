package dev.assay.domain.campaignfile.strategy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePolicy;

/** The writer of judges and the way they judge: fields of the strategy. */
final class JudgePolicyWriter {

    private JudgePolicyWriter() {}

    /** Puts the policy into the document of its strategy. */
    static void put(ObjectNode node, JudgePolicy policy) {
        if (policy.isPanel()) {
            ArrayNode panel = node.putArray("panel");
            policy.judges().forEach(judge -> panel.add(judge(judge)));
        } else {
            node.set("judge", judge(policy.judges().getFirst()));
        }
        if (policy.systemPrompt() != null) {
            node.put("systemPrompt", policy.systemPrompt());
        }
        node.put("reply", policy.format().reply().word());
        node.put("fence", policy.format().fenced());
        // Builds that do not know the field read what was stored without it.
        if (policy.format().reading() != JudgeFormat.Reading.FIRST_NUMBER) {
            node.put("reading", policy.format().reading().word());
        }
        node.put("swapPositions", policy.swapPositions());
        node.put("rotate", policy.rotate());
        if (policy.rotateByTrial()) {
            node.put("rotateByTrial", true);
        }
        node.put("ties", policy.ties().word());
    }

    private static ObjectNode judge(Judge judge) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (judge.id() != null) {
            node.put("id", judge.id());
        }
        AgentKinds.write(judge.agent(), node);
        if (judge.maxContextTokens() != null) {
            node.put("maxContextTokens", judge.maxContextTokens());
        }
        DeliveryReader.write(judge.delivery(), node);
        return node;
    }
}
