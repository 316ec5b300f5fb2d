package dev.assay.domain.rendering;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignState;
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
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
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

    private final Run run;
    private final CampaignSummary summary;
    private final CaseTrials trials;
    private final JsonGenerator json;

    private SummaryJson(Run run, CampaignSummary summary, CaseTrials trials, JsonGenerator json) {
        this.run = run;
        this.summary = summary;
        this.trials = trials;
        this.json = json;
    }

    /**
     * A campaign as its summary names it.
     *
     * @param metadata what its author notes
     * @param createdBy who submitted it; null: not known
     * @param model the model of its only branch; null: there are several, or none is asked
     */
    public record Run(
            String campaignId,
            String name,
            CampaignMetadata metadata,
            CampaignState state,
            Instant createdAt,
            @Nullable String createdBy,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            @Nullable String model,
            int parallel) {}

    /**
     * Writes the document, with line breaks and indentation.
     *
     * @throws IOException when the trials cannot be read, or the document cannot be written
     */
    public static void write(Run run, CampaignSummary summary, ExitRule rule, CaseTrials trials, OutputStream out)
            throws IOException {
        try (JsonGenerator json = Json.mapper()
                .writerWithDefaultPrettyPrinter()
                .createGenerator(out)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
            new SummaryJson(run, summary, trials, json).write(rule);
        }
    }

    private void write(ExitRule rule) throws IOException {
        json.writeStartObject();
        fields(verdict());
        fields(asked());
        if (summary.branches().size() == 1) {
            writeCases(summary.branches().getFirst());
        }
        json.writeObjectFieldStart("branches");
        for (BranchSummary branch : summary.branches()) {
            json.writeObjectFieldStart(branch.branchId());
            fields(branch(branch, summary.passThreshold()));
            writeCases(branch);
            json.writeEndObject();
        }
        json.writeEndObject();
        fields(spend());
        fields(exit(rule));
        json.writeEndObject();
    }

    private void fields(ObjectNode some) throws IOException {
        for (Map.Entry<String, JsonNode> field : some.properties()) {
            json.writeFieldName(field.getKey());
            json.writeTree(field.getValue());
        }
    }

    private void writeCases(BranchSummary branch) throws IOException {
        json.writeArrayFieldStart("cases");
        trials.forEach(branch, (one, own) -> json.writeTree(ofCase(one, own, summary.passThreshold())));
        json.writeEndArray();
    }

    private ObjectNode verdict() {
        ObjectNode root = Json.mapper().createObjectNode();
        root.put("campaign_id", run.campaignId());
        root.put("name", run.name());
        if (!run.metadata().values().isEmpty()) {
            root.set("metadata", tree(run.metadata().values()));
        }
        root.put("state", run.state().name());
        root.put("created_at", run.createdAt().toString());
        root.put("created_by", run.createdBy());
        root.put("started_at", text(run.startedAt()));
        root.put("finished_at", text(run.finishedAt()));
        root.put("verdict", summary.verdict().name());
        root.put("suite_pass", summary.verdict() == Verdict.PASS);
        root.set("reasons", tree(summary.gate().reasons()));
        root.setAll((ObjectNode) tree(summary.gate().rerun()));
        root.put("rerun_agreement", summary.gate().rerunAgreement());
        root.set("why", tree(summary.gate().why()));
        root.put("error_rate", summary.gate().errorRate());
        root.put("redrawn", summary.reruns().redrawn());
        root.put("whole_reruns", summary.reruns().wholeReruns());
        if (summary.reused() != null) {
            root.set("reused", tree(summary.reused()));
        }
        if (!summary.gate().baselines().isEmpty()) {
            root.set("baselines", tree(summary.gate().baselines()));
        }
        root.set("suite_pass_rate", tree(summary.suitePassRate().value()));
        return root;
    }

    /** As FastSkill has them: of the one branch, or of all branches together. The command knows the directory and the files. */
    private ObjectNode asked() {
        ObjectNode root = Json.mapper().createObjectNode();
        boolean isOne = summary.branches().size() == 1;
        root.put("agent", isOne ? summary.branches().getFirst().branchId() : null);
        root.put("model", run.model());
        putCounts(root, summary.gatedBranches(), summary.passThreshold());
        root.putNull("run_dir");
        root.putNull("checks_path");
        root.putNull("skill_project_root");
        root.put("trials_per_case", trialsPerCase(summary));
        root.put("parallel", run.parallel());
        root.put("pass_threshold", summary.passThreshold());
        root.put("suite_threshold", summary.suiteThreshold());
        return root;
    }

    /** The fields of the exit code, and of the rule that decides it. */
    public static ObjectNode exit(ExitRule rule) {
        ObjectNode root = Json.mapper().createObjectNode();
        root.put("exit_code", rule.code());
        ObjectNode decided = root.putObject("rule");
        decided.put("code", rule.code());
        decided.put("verdict", rule.verdict().name());
        decided.put("sentence", rule.sentence());
        return root;
    }

    /** A reducer that no case has trials enough for, as it stands among those of a branch. */
    public static JsonNode leftOut(int cases) {
        return tree(new ReducerRate(null, null, null, 0, cases, ReducerRate.Why.TOO_FEW_TRIALS));
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

    private ObjectNode spend() {
        ObjectNode root = Json.mapper().createObjectNode();
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
        return root;
    }

    private static int trialsPerCase(CampaignSummary summary) {
        List<CaseSummary> cases = summary.branches().getFirst().cases();
        return cases.isEmpty() ? 0 : cases.getFirst().totalTrials();
    }

    private static ObjectNode branch(BranchSummary branch, double threshold) {
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
        json.set("reducers", tree(branch.reducers()));
        json.set("wins", tree(branch.wins()));
        json.put("ties", branch.chosen().ties());
        json.put("bound", branch.early().bound());
        json.set("saved", saved(branch.early().saved()));
        json.set("latency", tree(branch.latency()));
        spend(json, branch.spend());
        return json;
    }

    private static @Nullable JsonNode saved(EarlyStop.@Nullable Saved saved) {
        return saved == null
                ? null
                : Json.mapper().createObjectNode().put("calls", saved.calls()).put("cost_usd", saved.costUsd());
    }

    private static ObjectNode ofCase(CaseSummary one, ArrayNode own, double threshold) {
        ObjectNode json = Json.mapper().createObjectNode();
        json.put("id", one.caseId());
        json.put("status", TrialResults.word(one.statusWithErrorsFailed(threshold)));
        for (String field : List.of("command_count", "input_tokens", "output_tokens")) {
            json.set(field, TrialResults.sum(own, field));
        }
        json.put("unknown_usage", TrialResults.unknownUsage(own));
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
        return json;
    }

    private static void spend(ObjectNode json, Spend spend) {
        json.set("usage", tree(spend.usage()));
        json.put("unknown_usage", spend.unknownUsage());
        json.put("cost_usd", spend.costUsd());
        json.put("unpriced", spend.unpriced());
        if (spend.batched() != null) {
            json.set("batched", tree(spend.batched()));
        }
    }

    private static JsonNode tree(@Nullable Object value) {
        return Json.snakeCase(value);
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
