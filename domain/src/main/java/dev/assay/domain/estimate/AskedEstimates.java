package dev.assay.domain.estimate;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCost;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CheckGrader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.compaction.LoopCompaction;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.estimate.RecordedRuns.AskedModel;
import dev.assay.domain.grading.Grading;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.message.Message;
import dev.assay.domain.provider.BatchSettings;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.selection.JudgePlan;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.Case;
import dev.assay.domain.template.Template;
import dev.assay.domain.usage.BatchPrice;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The estimate of each call of a campaign: from what was recorded, else from limits, else not known. */
final class AskedEstimates {

    private static final String JUDGES = "judges";
    private static final String GRADERS = "graders";

    private final CampaignSubmission submission;
    private final Map<String, ProviderInfo> providers;
    private final RecordedRuns recorded;
    private final Map<String, PlannedDelivery> delivered;

    AskedEstimates(CampaignSubmission submission, Map<String, ProviderInfo> providers, RecordedRuns recorded) {
        this.submission = submission;
        this.providers = providers;
        this.recorded = recorded;
        this.delivered = delivered();
    }

    /** The branches that may be asked in batches of their providers, in order, and what they cost and take either way. */
    List<PlannedDelivery> delivery() {
        return List.copyOf(delivered.values());
    }

    private Map<String, PlannedDelivery> delivered() {
        Map<String, PlannedDelivery> all = new LinkedHashMap<>();
        for (Branch branch : submission.definition().branches()) {
            ModelChoice choice = branch.agent().modelAsked().orElse(null);
            ProviderInfo provider = choice == null ? null : providers.get(choice.provider());
            BatchSettings settings = provider == null ? null : provider.batches();
            boolean mayBeOut = !branch.isAnswered() && DeliveryReader.reason(branch) == null;
            if (choice != null && settings != null && mayBeOut) {
                all.put(branch.id(), delivery(branch, choice, settings));
            }
        }
        // The later rounds of a tournament are live, and nobody knows how many there are.
        Strategy strategy = submission.definition().strategy();
        JudgePolicy policy = strategy.comparesPairs() ? null : strategy.judging();
        if (policy != null) {
            DeliveryWish wish = wish(policy.judges().stream().map(Judge::delivery));
            int calls = judgeCalls(submission.definition());
            AskedEstimate live = calls == 0 ? null : judges(calls, false);
            delivery(JUDGES, onlyJudge(), calls, wish, live, live == null ? null : judges(calls, true))
                    .ifPresent(planned -> all.put(JUDGES, planned));
        }
        delivery(
                        GRADERS,
                        only(submission.definition().graderAgents()),
                        graderCalls(submission),
                        wish(submission.definition().graders().stream().map(CheckGrader::delivery)),
                        null,
                        null)
                .ifPresent(planned -> all.put(GRADERS, planned));
        return all;
    }

    private static DeliveryWish wish(Stream<DeliveryWish> all) {
        return all.filter(DeliveryWish::mayBeOut).findFirst().orElse(DeliveryWish.LIVE);
    }

    /**
     * What calls of judges or graders cost and take either way; empty: several models are asked, or one that has no batches.
     *
     * @param live the estimate of a call at the live price; null: not known
     * @param batch the same at the price of batches
     */
    private Optional<PlannedDelivery> delivery(
            String who,
            @Nullable ModelChoice choice,
            int perTrial,
            DeliveryWish wish,
            @Nullable AskedEstimate live,
            @Nullable AskedEstimate batch) {
        ProviderInfo provider = choice == null ? null : providers.get(choice.provider());
        BatchSettings settings = provider == null ? null : provider.batches();
        if (choice == null || settings == null || perTrial == 0) {
            return Optional.empty();
        }
        long trials = (long) submission.suite().cases().size()
                * submission.definition().trials();
        Price price = AskedEstimate.price(provider, choice.model());
        List<Duration> earlier = recorded.batches().getOrDefault(AskedModel.of(choice), List.of());
        RecordedUse use = who.equals(JUDGES) ? recorded.judges() : null;
        return Optional.of(new PlannedDelivery.Calls(who, trials * perTrial, wish, settings, earlier)
                .planned(
                        live == null ? null : live.costUsd(),
                        batch == null ? null : batch.costUsd(),
                        price != null && price.ofBatch().assumed(),
                        PlannedDuration.of(
                                        List.of(calls(who, choice, perTrial, null, use)),
                                        trials,
                                        submission.definition().limits().maxConcurrent())
                                .seconds()));
    }

    private PlannedDelivery delivery(Branch branch, ModelChoice choice, BatchSettings settings) {
        long calls = (long) submission.suite().cases().size()
                * submission.definition().trials();
        List<Duration> earlier = recorded.batches().getOrDefault(AskedModel.of(choice), List.of());
        Price live = AskedEstimate.price(providers.get(choice.provider()), choice.model());
        BatchPrice batch = live == null ? null : live.ofBatch();
        return new PlannedDelivery.Calls(branch.id(), calls, branch.delivery(), settings, earlier)
                .planned(
                        limited(branch, choice, live).costUsd(),
                        limited(branch, choice, batch == null ? null : batch.price())
                                .costUsd(),
                        batch != null && batch.assumed(),
                        PlannedDuration.of(
                                        List.of(calls(branch, choice)),
                                        calls,
                                        submission.definition().limits().maxConcurrent())
                                .seconds());
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
            all.add(judges(judgeCalls, goesByBatch(JUDGES)));
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

    /** The live calls of models whose provider is known, of the branches in order and then of the judges. */
    List<PlannedCalls> calls() {
        List<PlannedCalls> all = new ArrayList<>();
        submission.definition().branches().stream()
                .filter(branch -> !goesByBatch(branch.id()))
                .forEach(branch -> branch.agent().modelAsked().ifPresent(choice -> all.add(calls(branch, choice))));
        int judgeCalls = judgeCalls(submission.definition());
        ModelChoice judge = judgeCalls == 0 || goesByBatch(JUDGES) ? null : onlyJudge();
        if (judge != null) {
            all.add(calls(JUDGES, judge, judgeCalls, mostOfJudge(judge), recorded.judges()));
        }
        return all;
    }

    private boolean goesByBatch(String who) {
        PlannedDelivery planned = delivered.get(who);
        return planned != null && planned.goes() == Delivery.BATCH;
    }

    private PlannedCalls calls(Branch branch, ModelChoice choice) {
        return calls(
                branch.id(),
                choice,
                1,
                most(branch, choice),
                recorded.branches().get(branch.id()));
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
        return only(submission.definition().evaluators());
    }

    private static @Nullable ModelChoice only(List<Agent> agents) {
        List<Agent> asked = agents.stream().distinct().toList();
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
        Price live = AskedEstimate.price(providers.get(choice.provider()), choice.model());
        Price price = live != null && goesByBatch(branch.id()) ? live.ofBatch().price() : live;
        return ofModel(branch, choice, price);
    }

    private AskedEstimate ofModel(Branch branch, ModelChoice choice, @Nullable Price price) {
        RecordedUse use = recorded.branches().get(branch.id());
        if (use != null) {
            return AskedEstimate.recorded(branch.id(), 1, use, price);
        }
        Usage most = most(branch, choice);
        return most == null
                ? AskedEstimate.unknown(branch.id(), 1)
                : AskedEstimate.limited(branch.id(), 1, most, price);
    }

    private AskedEstimate limited(Branch branch, ModelChoice choice, @Nullable Price price) {
        return ofModel(branch, choice, price).atMost(branch.limits().maxCostUsd());
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
    private AskedEstimate judges(int calls, boolean byBatch) {
        List<Agent> asked =
                submission.definition().evaluators().stream().distinct().toList();
        if (asked.stream().noneMatch(AskedEstimates::isModel)) {
            return AskedEstimate.free(JUDGES, calls);
        }
        ModelChoice only = onlyJudge();
        Price live = only == null ? null : AskedEstimate.price(providers.get(only.provider()), only.model());
        Price price = live != null && byBatch ? live.ofBatch().price() : live;
        RecordedUse use = recorded.judges();
        if (use != null) {
            return AskedEstimate.recorded(JUDGES, calls, use, price);
        }
        Usage most = only == null ? null : mostOfJudge(only);
        return most == null ? AskedEstimate.unknown(JUDGES, calls) : AskedEstimate.limited(JUDGES, calls, most, price);
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
