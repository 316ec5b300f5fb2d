package dev.assay.domain.campaignfile.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.tool.ToolPolicy;

/** The rules of campaigns with programs. */
public final class CommandRules {

    private CommandRules() {}

    /**
     * Refuses a campaign with a program that no worker has and may start. Left out are branches that take that for an error of
     * their trials.
     *
     * @throws AssayException EVAL_AGENT_UNAVAILABLE
     */
    public static void requireAgents(CampaignDefinition definition, ToolPolicy policy) {
        definition.commands().stream()
                .filter(command -> command.required() && !policy.allows(command))
                .findFirst()
                .ifPresent(command -> {
                    throw new AssayException(
                            ErrorCode.EVAL_AGENT_UNAVAILABLE,
                            "EVAL_AGENT_UNAVAILABLE: no worker may start " + Excerpt.of(command.program())
                                    + " with its `env` and `homeFiles`, or none has it. " + advice(policy));
                });
    }

    private static String advice(ToolPolicy policy) {
        IsolationOffer isolation = policy.isolation();
        return isolation == null || isolation.refusal() == null
                ? "Install it, and list it under `agents` in the workers' tools.yaml: in the data directory of the"
                        + " server or worker that runs (by default ~/.assay), or where its ASSAY_TOOLS says; then start"
                        + " it again"
                : isolation.refusal();
    }

    /**
     * Sets the number of concurrent cells to the number of processors, where the document gives none and programs answer for all
     * its branches.
     */
    public static void fillParallel(JsonNode document, int processors) {
        JsonNode branches = document.path("branches");
        boolean given = document.path("limits").has("maxConcurrent")
                || !(document.path("limits").isMissingNode()
                        || document.path("limits").isObject());
        boolean allPrograms = !branches.isEmpty();
        for (JsonNode branch : branches) {
            allPrograms &= branch.has("command");
        }
        if (!given && allPrograms && document instanceof ObjectNode object) {
            object.withObject("/limits").put("maxConcurrent", processors);
        }
    }
}
