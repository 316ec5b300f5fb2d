package dev.assay.domain.estimate;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCost;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.compaction.LoopCompaction;
import dev.assay.domain.grading.Grading;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.selection.JudgePlan;
import dev.assay.domain.suite.Case;
import dev.assay.domain.template.Template;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The estimate of each call of a campaign: from what was recorded, else from limits, else not known. */
final class AskedEstimates {

    private static final String JUDGES = "judges";
    private static final String GRADERS = "graders";

    private final CampaignSubmission submission;
    private final Map<String, ProviderInfo> providers;
    private final RecordedRuns recorded;

    AskedEstimates(CampaignSubmission submission, Map<String, ProviderInfo> providers, RecordedRuns recorded) {
        this.submission = submission;
        this.providers = providers;
        this.recorded = recorded;
    }

    /** The branches in order, then the judges and the graders when there are any. */
    List<AskedEstimate> all() {
        List<AskedEstimate> all = new ArrayList<>();
        submission
                .definition()
                .branches()
                .forEach(branch -> all.add(
                        branch.isAnswered()
                                ? AskedEstimate.free(branch.id(), 0)
                                : branch(branch).atMost(branch.limits().maxCostUsd())));
        int judgeCalls = judgeCalls(submission.definition());
        if (judgeCalls > 0) {
            all.add(judges(judgeCalls));
        }
        int graderCalls = graderCalls(submission);
        if (graderCalls > 0) {
            all.add(
                    submission.definition().graderAgents().stream().noneMatch(AskedEstimates::isModel)
                            ? AskedEstimate.free(GRADERS, graderCalls)
                            : AskedEstimate.unknown(GRADERS, graderCalls));
        }
        return all;
    }

    /** The calls of models whose provider is known, of the branches in order and then of the judges. */
    List<PlannedCalls> calls() {
        List<PlannedCalls> all = new ArrayList<>();
        submission
                .definition()
                .branches()
                .forEach(branch -> branch.agent().modelAsked().ifPresent(choice -> {
                    Usage most = most(branch, choice);
                    all.add(calls(
                            branch.id(), choice, 1, most, recorded.branches().get(branch.id())));
                }));
        int judgeCalls = judgeCalls(submission.definition());
        ModelChoice judge = judgeCalls == 0 ? null : onlyJudge();
        if (judge != null) {
            all.add(calls(JUDGES, judge, judgeCalls, mostOfJudge(judge), recorded.judges()));
        }
        return all;
    }

    private PlannedCalls calls(
            String who, ModelChoice choice, int perTrial, @Nullable Usage most, @Nullable RecordedUse use) {
        PlannedCalls calls = PlannedCalls.of(
                who,
                choice.model(),
                choice.provider(),
                providers.get(choice.provider()),
                perTrial,
                most == null ? Usage.NONE : most);
        return use == null ? calls : calls.recorded(use);
    }

    private @Nullable ModelChoice onlyJudge() {
        List<Agent> asked =
                submission.definition().evaluators().stream().distinct().toList();
        return asked.size() == 1 ? asked.getFirst().modelAsked().orElse(null) : null;
    }

    /** Calls of graders in a trial, apart from retries and repairs: the mean over the cases, rounded up. */
    static int graderCalls(CampaignSubmission submission) {
        List<Case> cases = submission.suite().cases();
        long graded = cases.stream()
                .mapToLong(one -> Grading.rules(one.checks().all()).size())
                .sum();
        return (int) Math.ceilDiv(graded * submission.definition().branches().size(), (long) cases.size());
    }

    /** Calls of a trial beside those of its branches, at most, apart from retries and repairs. */
    static int judgeCalls(CampaignDefinition definition) {
        int branches = definition.branches().size();
        return definition
                .strategy()
                .plugin()
                .map(custom -> branches > 1 ? custom.maxAsks() : 0)
                .orElseGet(() -> JudgePlan.calls(definition.strategy(), branches));
    }

    private AskedEstimate branch(Branch branch) {
        return switch (branch.agent().cost()) {
            case AgentCost.Nothing _ -> AskedEstimate.free(branch.id(), 1);
            case AgentCost.OfModel(ModelChoice choice) -> ofModel(branch, choice);
            case AgentCost.OfModels(var _, BigDecimal mostUsd) ->
                AskedEstimate.unknown(branch.id(), 1).atMost(mostUsd);
            case AgentCost.Stated(BigDecimal mostUsd) ->
                AskedEstimate.unknown(branch.id(), 1).atMost(mostUsd);
        };
    }

    private static boolean isModel(Agent agent) {
        return agent.modelAsked().isPresent();
    }

    private AskedEstimate ofModel(Branch branch, ModelChoice choice) {
        ProviderInfo provider = providers.get(choice.provider());
        RecordedUse use = recorded.branches().get(branch.id());
        if (use != null) {
            return AskedEstimate.recorded(branch.id(), 1, use, AskedEstimate.price(provider, choice.model()));
        }
        Usage most = most(branch, choice);
        return most == null
                ? AskedEstimate.unknown(branch.id(), 1)
                : AskedEstimate.limited(branch.id(), 1, most, AskedEstimate.price(provider, choice.model()));
    }

    /** The most that a call of a branch takes; null: nothing bounds it. */
    private @Nullable Usage most(Branch branch, ModelChoice choice) {
        Long output = mostOutput(choice);
        return output == null || !branch.tools().isEmpty() || branch.wording().promptCode() != null
                ? null
                : Usage.of(
                        meanInput(branch.systemPrompt(), branch.wording().template()) + choice.formatTokens(), output);
    }

    /** Several models have several prices: their tokens are known together only. */
    private AskedEstimate judges(int calls) {
        List<Agent> asked =
                submission.definition().evaluators().stream().distinct().toList();
        if (asked.stream().noneMatch(AskedEstimates::isModel)) {
            return AskedEstimate.free(JUDGES, calls);
        }
        ModelChoice only = onlyJudge();
        ProviderInfo provider = only == null ? null : providers.get(only.provider());
        RecordedUse use = recorded.judges();
        if (use != null) {
            return AskedEstimate.recorded(
                    JUDGES, calls, use, only == null ? null : AskedEstimate.price(provider, only.model()));
        }
        Usage most = only == null ? null : mostOfJudge(only);
        return only == null || most == null
                ? AskedEstimate.unknown(JUDGES, calls)
                : AskedEstimate.limited(JUDGES, calls, most, AskedEstimate.price(provider, only.model()));
    }

    /** A judge reads the question and, at most, all texts that the branches may write. */
    private @Nullable Usage mostOfJudge(ModelChoice judge) {
        Long output = mostOutput(judge);
        if (output == null || submission.definition().judging().isEmpty()) {
            return null;
        }
        long input = meanInput(submission.definition().judging().get().systemPrompt(), null) + judge.formatTokens();
        for (Branch branch : submission.definition().branches()) {
            Long said = branch.agent().modelAsked().map(this::mostOutput).orElse(null);
            if (said == null) {
                return null;
            }
            input += said;
        }
        return Usage.of(input, output);
    }

    /** Null where limits do not bound it: a model that thinks may be billed for more. */
    private @Nullable Long mostOutput(ModelChoice choice) {
        ProviderInfo provider = providers.get(choice.provider());
        if (choice.thinking() != Thinking.OFF) {
            return null;
        }
        var own = choice.parameters().get("maxOutputTokens");
        if (own != null && own.canConvertToLong()) {
            return own.longValue();
        }
        return provider == null ? null : (Long) (long) provider.maxOutputTokens();
    }

    /** @param template stands for the prompts, its places for the vars; null: there is none */
    private long meanInput(@Nullable String systemPrompt, @Nullable Template template) {
        List<Case> cases = submission.suite().cases();
        long sum = 0;
        for (Case one : cases) {
            Stream<Message> said = template == null
                    ? one.prompts().stream()
                    : Stream.of(Message.user(template.toJson().toString() + Json.write(one.vars())));
            List<Message> sent = Stream.concat(one.context().stream(), said).toList();
            sum += LoopCompaction.tokens(systemPrompt, sent);
        }
        return Math.ceilDiv(sum, Math.max(1, cases.size()));
    }
}
