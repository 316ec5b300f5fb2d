package dev.assay.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.report.Spend;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code summary.json}: the fields of FastSkill's file with their names and meanings (semantics B), and ours beside them.
 *
 * <p>With one branch {@code cases} stands at the top; with several each branch has its own under {@code branches}, and
 * {@code suite_pass_rate} is the lowest of the branches that the gate looks at.
 */
public final class SummaryJson {

    private final ObjectNode root = Json.mapper().createObjectNode();
    private final Map<CaseKey, ArrayNode> trials = new HashMap<>();

    private record CaseKey(String branchId, String caseId) {}

    /** Adds one outcome as the API lists it; all of them come before {@link #write}. */
    public void outcome(JsonNode outcome) {
        ObjectNode trial = Json.mapper().createObjectNode();
        trial.set("trial", outcome.path("trial"));
        trial.set("status", outcome.path("status"));
        trial.set("passed", outcome.path("passed"));
        trial.set("selected", outcome.path("selected"));
        trial.set("latency_ms", outcome.path("latencyMs"));
        trial.set("cost_usd", outcome.path("costUsd"));
        CaseKey key = new CaseKey(
                outcome.path("branchId").asText(), outcome.path("caseId").asText());
        trials.computeIfAbsent(key, any -> Json.mapper().createArrayNode()).add(trial);
    }

    /**
     * The document, with line breaks and indentation.
     *
     * @param parallel model calls in flight; null-valued in the document when the server does not say
     */
    public String write(RemoteCampaign campaign, CampaignSummary summary, ExitRule rule, JsonNode parallel) {
        root.put("campaign_id", campaign.id());
        root.put("name", campaign.name());
        root.put("state", campaign.state().name());
        root.put("created_at", campaign.createdAt().toString());
        root.put("started_at", text(campaign.startedAt()));
        root.put("finished_at", text(campaign.finishedAt()));
        root.put("verdict", summary.verdict().name());
        root.put("suite_pass", summary.verdict() == Verdict.PASS);
        root.set(
                "suite_pass_rate",
                Json.mapper().valueToTree(summary.suitePassRate().value()));
        root.put("trials_per_case", trialsPerCase(summary));
        root.set("parallel", parallel);
        root.put("pass_threshold", summary.passThreshold());
        root.put("suite_threshold", summary.suiteThreshold());
        if (summary.branches().size() == 1) {
            root.set("cases", cases(summary.branches().getFirst()));
        }
        ObjectNode branches = root.putObject("branches");
        summary.branches().forEach(branch -> branches.set(branch.branchId(), branch(branch)));
        root.set("selections", Json.mapper().valueToTree(summary.selections()));
        ObjectNode judge = root.putObject("judge");
        judge.put("calls", summary.judge().calls());
        spend(judge, summary.judge().spend());
        judge.set("ranking", Json.mapper().valueToTree(summary.judge().ranking()));
        judge.set("agreement", Json.mapper().valueToTree(summary.judge().agreement()));
        spend(root, summary.total());
        root.put("exit_code", rule.code());
        root.put("rule", rule.sentence());
        try {
            return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A JSON tree can always be written", e);
        }
    }

    private static int trialsPerCase(CampaignSummary summary) {
        List<CaseSummary> cases = summary.branches().getFirst().cases();
        return cases.isEmpty() ? 0 : cases.getFirst().totalTrials();
    }

    private ObjectNode branch(BranchSummary branch) {
        ObjectNode json = Json.mapper().createObjectNode();
        json.put("gated", branch.gated());
        json.put("verdict", branch.verdict().name());
        json.put("suite_pass", branch.verdict() == Verdict.PASS);
        json.set(
                "suite_pass_rate",
                Json.mapper().valueToTree(branch.suitePassRate().value()));
        json.set("suite_rate", Json.mapper().valueToTree(branch.suitePassRate()));
        json.set("trial_rate", Json.mapper().valueToTree(branch.trialPassRate()));
        json.set("wins", Json.mapper().valueToTree(branch.wins()));
        json.set("latency", Json.mapper().valueToTree(branch.latency()));
        spend(json, branch.spend());
        json.set("cases", cases(branch));
        return json;
    }

    private ArrayNode cases(BranchSummary branch) {
        ArrayNode cases = Json.mapper().createArrayNode();
        for (CaseSummary one : branch.cases()) {
            ObjectNode json = cases.addObject();
            json.put("id", one.caseId());
            json.put("status", one.status().name());
            json.put("pass_count", one.passCount());
            json.put("total_trials", one.totalTrials());
            json.put("pass_rate", one.passRate());
            json.put("no_evidence", one.noEvidence());
            json.put("pass_rate_low", one.low());
            json.put("pass_rate_high", one.high());
            ArrayNode own = trials.get(new CaseKey(branch.branchId(), one.caseId()));
            json.set("trials", own == null ? Json.mapper().createArrayNode() : own);
        }
        return cases;
    }

    private static void spend(ObjectNode json, Spend spend) {
        json.set("usage", Json.mapper().valueToTree(spend.usage()));
        json.put("cost_usd", spend.costUsd());
        json.put("unpriced", spend.unpriced());
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
