package dev.assay.cli.report.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.report.EarlyStop;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.report.ReducerRate;
import dev.assay.domain.usage.Spend;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code summary.json}: FastSkill's fields with their names and meanings (docs/fastskill.md), and ours, all in snake_case.
 *
 * <p>With one branch {@code cases} stands at the top; with several each branch has its own under {@code branches}.
 * {@code suite_pass_rate} is the lowest of the branches that the gate looks at.
 */
public final class SummaryJson {

    private final ObjectNode root = Json.mapper().createObjectNode();
    private final TrialResults trials;
    private final RunOrigin origin;

    /**
     * Begins a summary.
     *
     * @param trials of all outcomes, which come before {@link #write}
     * @param origin what the run was asked for
     */
    public SummaryJson(TrialResults trials, RunOrigin origin) {
        this.trials = trials;
        this.origin = origin;
    }

    /**
     * The place of a run, and how much it did at once.
     *
     * @param parallel model calls in flight; null-valued when the server does not say
     * @param runDirectory where the artifacts are; null: nowhere
     */
    public record Run(JsonNode parallel, @Nullable String runDirectory) {}

    /** The document, with line breaks and indentation. */
    public String write(RemoteCampaign campaign, CampaignSummary summary, ExitRule rule, Run run) {
        root.put("campaign_id", campaign.id());
        root.put("name", campaign.name());
        root.put("state", campaign.state().name());
        root.put("created_at", campaign.createdAt().toString());
        root.put("started_at", text(campaign.startedAt()));
        root.put("finished_at", text(campaign.finishedAt()));
        root.put("verdict", summary.verdict().name());
        root.put("suite_pass", summary.verdict() == Verdict.PASS);
        root.set("reasons", tree(summary.gate().reasons()));
        root.setAll((ObjectNode) tree(summary.gate().rerun()));
        root.put("rerun_agreement", summary.gate().rerunAgreement());
        root.set("why", tree(summary.gate().why()));
        root.put("error_rate", summary.gate().errorRate());
        root.put("redrawn", summary.reruns().redrawn());
        root.put("whole_reruns", summary.reruns().wholeReruns());
        if (!summary.gate().baselines().isEmpty()) {
            root.set("baselines", tree(summary.gate().baselines()));
        }
        root.set("suite_pass_rate", tree(summary.suitePassRate().value()));
        putOrigin(summary, run);
        root.put("trials_per_case", trialsPerCase(summary));
        root.set("parallel", run.parallel.isMissingNode() ? NullNode.instance : run.parallel);
        root.put("pass_threshold", summary.passThreshold());
        root.put("suite_threshold", summary.suiteThreshold());
        if (summary.branches().size() == 1) {
            root.set("cases", cases(summary.branches().getFirst(), summary.passThreshold()));
        }
        ObjectNode branches = root.putObject("branches");
        summary.branches().forEach(branch -> branches.set(branch.branchId(), branch(branch, summary.passThreshold())));
        putSpend(summary);
        root.put("exit_code", rule.code());
        ObjectNode decided = root.putObject("rule");
        decided.put("code", rule.code());
        decided.put("verdict", rule.verdict().name());
        decided.put("sentence", rule.sentence());
        return pretty(root);
    }

    /** As FastSkill has them: of the one branch, or of all branches together. */
    private void putOrigin(CampaignSummary summary, Run run) {
        boolean isOne = summary.branches().size() == 1;
        String agent = isOne ? summary.branches().getFirst().branchId() : null;
        root.put("agent", origin.agent() == null ? agent : origin.agent());
        root.put("model", origin.model() == null && isOne ? trials.model() : origin.model());
        putCounts(root, summary.gatedBranches(), summary.passThreshold());
        root.put("run_dir", run.runDirectory);
        root.put("checks_path", origin.checksPath());
        root.put("skill_project_root", origin.skillProjectRoot());
    }

    /** A case counts as passed where it passed on each of these branches, and as failed where it failed on one. */
    private static void putCounts(ObjectNode json, List<BranchSummary> branches, double threshold) {
        int cases = branches.getFirst().cases().size();
        int passed = 0;
        int failed = 0;
        for (int i = 0; i < cases; i++) {
            int index = i;
            List<CaseStatus> all = branches.stream()
                    .map(branch -> branch.cases().get(index).statusWithErrorsFailed(threshold))
                    .toList();
            passed += all.stream().allMatch(status -> status == CaseStatus.PASSED) ? 1 : 0;
            failed += all.contains(CaseStatus.FAILED) ? 1 : 0;
        }
        json.put("total_cases", cases);
        json.put("passed", passed);
        json.put("failed", failed);
    }

    private void putSpend(CampaignSummary summary) {
        root.set("selections", tree(summary.selections()));
        ObjectNode judge = root.putObject("judge");
        judge.put("calls", summary.judge().calls());
        judge.put("shortened", summary.judge().shortened());
        judge.put("over_limit", summary.judge().overLimit());
        spend(judge, summary.judge().spend());
        judge.set("ranking", tree(summary.judge().ranking()));
        judge.set("pairs", tree(summary.judge().pairs()));
        judge.set("position", tree(summary.judge().position()));
        judge.set("agreement", tree(summary.judge().agreement()));
        if (summary.graders() != null) {
            ObjectNode graders = root.putObject("graders");
            graders.put("calls", summary.graders().calls());
            spend(graders, summary.graders().spend());
        }
        spend(root, summary.total());
        root.set("saved", saved(summary.saved()));
    }

    /** {@code json} with line breaks and indentation. */
    static String pretty(JsonNode json) {
        try {
            return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A JSON tree can always be written", e);
        }
    }

    private static int trialsPerCase(CampaignSummary summary) {
        List<CaseSummary> cases = summary.branches().getFirst().cases();
        return cases.isEmpty() ? 0 : cases.getFirst().totalTrials();
    }

    private ObjectNode branch(BranchSummary branch, double threshold) {
        ObjectNode json = Json.mapper().createObjectNode();
        json.put("gated", branch.gated());
        json.put("verdict", branch.verdict().name());
        json.set("reasons", tree(branch.reasons()));
        putCounts(json, List.of(branch), threshold);
        json.put("suite_pass", branch.verdict() == Verdict.PASS);
        json.set("suite_pass_rate", tree(branch.suitePassRate().value()));
        json.set("suite_rate", tree(branch.suitePassRate()));
        json.set("trial_rate", tree(branch.trialPassRate()));
        json.set("trials", tree(branch.trials()));
        json.setAll((ObjectNode) tree(branch.repeatability()));
        json.set("reducers", reducers(branch));
        json.set("wins", tree(branch.wins()));
        json.put("ties", branch.chosen().ties());
        json.put("bound", branch.early().bound());
        json.set("saved", saved(branch.early().saved()));
        json.set("latency", tree(branch.latency()));
        spend(json, branch.spend());
        json.set("cases", cases(branch, threshold));
        return json;
    }

    private static @Nullable JsonNode saved(EarlyStop.@Nullable Saved saved) {
        return saved == null
                ? null
                : Json.mapper().createObjectNode().put("calls", saved.calls()).put("cost_usd", saved.costUsd());
    }

    private JsonNode reducers(BranchSummary branch) {
        Map<String, ReducerRate> reducers = new LinkedHashMap<>(branch.reducers());
        ReducerRate.Why why = ReducerRate.Why.TOO_FEW_TRIALS;
        origin.leftOutReducers()
                .forEach(name -> reducers.put(
                        name,
                        new ReducerRate(null, null, null, 0, branch.cases().size(), why)));
        return tree(reducers);
    }

    private ArrayNode cases(BranchSummary branch, double threshold) {
        ArrayNode cases = Json.mapper().createArrayNode();
        for (CaseSummary one : branch.cases()) {
            ObjectNode json = cases.addObject();
            json.put("id", one.caseId());
            ArrayNode own = trials.of(branch.branchId(), one);
            json.put("status", TrialResults.word(one.statusWithErrorsFailed(threshold)));
            for (String field : List.of("command_count", "input_tokens", "output_tokens")) {
                json.set(field, TrialResults.sum(own, field));
            }
            if (one.reducers() != null) {
                json.set("reducers", tree(one.reducers()));
            }
            json.put("pass_count", one.passCount());
            json.put("total_trials", one.totalTrials());
            json.put("pass_rate", one.passRate());
            json.put("no_evidence", one.noEvidence());
            json.put("pass_rate_low", one.low());
            json.put("pass_rate_high", one.high());
            json.put("known", one.known());
            json.put("asked", one.asked());
            json.put("redrawn", one.redrawn());
            json.set("trials", own);
        }
        return cases;
    }

    private static void spend(ObjectNode json, Spend spend) {
        json.set("usage", tree(spend.usage()));
        json.put("cost_usd", spend.costUsd());
        json.put("unpriced", spend.unpriced());
    }

    private static JsonNode tree(@Nullable Object value) {
        return Json.snakeCase(value);
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
