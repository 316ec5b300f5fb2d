package dev.assay.domain.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import java.util.HashMap;
import java.util.Map;

/** Reads the branches of one campaign, each id once. */
final class BranchReader {

    static final Fields FIELDS = Fields.of(
            "branch",
            "id",
            "kind",
            "provider",
            "model",
            "thinking",
            "systemPrompt",
            "parameters",
            "limits",
            "cassette",
            "script");

    static final Fields LIMITS = Fields.of("branchLimits", "maxTurns", "maxTokens", "maxSeconds", "maxCostUsd");

    private static final NumberRule TURNS = NumberRule.whole(1, 10_000);
    private static final NumberRule TOKENS = NumberRule.whole(1, 1_000_000_000_000L);

    private final AgentReader agents;
    private final Map<String, String> pathOfId = new HashMap<>();

    BranchReader(AgentReader agents) {
        this.agents = agents;
    }

    Branch read(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
        String id = fields.id("id");
        String earlier = fields.isWrong("id") || !fields.has("id") ? null : pathOfId.putIfAbsent(id, path);
        if (earlier != null) {
            fields.problem(
                    "id",
                    "Branch id `" + id + "` is already the id of `" + earlier
                            + "`; give every branch an id of its own.");
        }
        return new Branch(id, agents.read(fields), fields.nullableText("systemPrompt"), limits(fields));
    }

    private static AgentLimits limits(FieldReader branch) {
        FieldReader fields = branch.objectOrEmpty("limits", LIMITS);
        AgentLimits defaults = AgentLimits.DEFAULT;
        return new AgentLimits(
                fields.integer("maxTurns", TURNS, defaults.maxTurns()),
                fields.longInteger("maxTokens", TOKENS, defaults.maxTokens()),
                fields.seconds("maxSeconds", LimitsReader.SECONDS, defaults.maxDuration()),
                fields.nullableDecimal("maxCostUsd", LimitsReader.MONEY));
    }
}
