package dev.assay.domain.fastskill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.Check;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A FastSkill folder as a campaign.
 *
 * @param name of the suite and the campaign
 * @param checks its checks, those of every case
 */
public record FastSkillCampaign(String name, EvalConfig config, List<PromptRow> rows, List<Check> checks) {

    public FastSkillCampaign {
        rows = List.copyOf(rows);
        checks = List.copyOf(checks);
    }

    /** The cases as campaign files have them. */
    public static ArrayNode cases(List<PromptRow> rows) {
        ArrayNode cases = JsonNodeFactory.instance.arrayNode();
        rows.forEach(row -> cases.add(row.toCase()));
        return cases;
    }

    /** The checks as campaign files have them. */
    public static ArrayNode checks(List<Check> checks) {
        return Json.mapper().valueToTree(checks);
    }

    /**
     * The campaign file.
     *
     * @param agents what answers, a branch each; empty: the file lacks its branches
     * @param workspace the directory of which each trial gets a copy, as the file names it
     */
    public ObjectNode document(List<AgentChoice> agents, String workspace) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("name", name);
        document.set("cases", cases(rows));
        if (!checks.isEmpty()) {
            document.set("checks", checks(checks));
        }
        if (!agents.isEmpty()) {
            ArrayNode branches = document.putArray("branches");
            Set<String> ids = new HashSet<>();
            agents.forEach(agent ->
                    branches.add(agent.branch(freeId(agent.id(), ids), workspace, config.failOnMissingAgent())));
        }
        document.put("trials", config.trials());
        document.putObject("gate").set("passThreshold", number(BigDecimal.valueOf(config.passThreshold())));
        ObjectNode limits = document.putObject("limits");
        if (config.parallel() != null) {
            limits.put("maxConcurrent", config.parallel());
        }
        limits.set("timeoutSeconds", number(config.timeoutSeconds()));
        return document;
    }

    private static JsonNode number(BigDecimal value) {
        return JsonNumbers.node(value);
    }

    private static String freeId(String wanted, Set<String> taken) {
        String name = IdRule.fit(wanted);
        String id = name;
        for (int n = 2; !taken.add(id); n++) {
            id = name + "-" + n;
        }
        return id;
    }
}
