package dev.assay.domain.campaignfile;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCost;
import dev.assay.domain.agent.ModelAccess;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.ResponseFormat;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CheckGrader;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.campaignfile.strategy.CustomKind;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.Suggestion;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.provider.OpenAiServer;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.usage.Price;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks that the models of a campaign can be asked, and paid for where a budget counts. Replays and scripts always can. */
public final class ProviderRules {

    /** The types of the providers that programs may ask. */
    private static final Set<ProviderType> FOR_PROGRAMS =
            Set.of(ProviderType.OPENAI, ProviderType.OPENAI_RESPONSES, ProviderType.ANTHROPIC);

    private final Map<String, ProviderInfo> providers;
    private final Problems problems;

    ProviderRules(Map<String, ProviderInfo> providers, Problems problems) {
        this.providers = providers;
        this.problems = problems;
    }

    /** @param graders where the campaign's graders stand in its document */
    void check(CampaignDefinition definition, Map<CheckGrader, String> graders) {
        String budget = definition.limits().budgetUsd() == null ? null : "`limits.budgetUsd`";
        List<Branch> branches = definition.branches();
        for (int i = 0; i < branches.size(); i++) {
            boolean hasCap = branches.get(i).limits().maxCostUsd() != null;
            check(
                    branches.get(i).agent(),
                    DocumentPath.item("branches", i),
                    hasCap && budget == null ? "`maxCostUsd`" : budget);
            checkBatches(
                    "Branch `" + branches.get(i).id() + "`",
                    branches.get(i).agent(),
                    branches.get(i).delivery(),
                    DocumentPath.item("branches", i));
        }
        List<Judge> judges = judges(definition);
        for (int i = 0; i < judges.size(); i++) {
            checkBatches("A judge", judges.get(i).agent(), judges.get(i).delivery(), judgePath(judges, i));
        }
        Map<String, Agent> evaluators = evaluators(definition);
        evaluators.forEach((path, agent) -> check(agent, path, budget));
        graders.forEach((grader, path) -> {
            // A judge that grades is named as what it is.
            if (!evaluators.containsValue(grader.agent())) {
                check(grader.agent(), path, budget);
                checkBatches("A grader", grader.agent(), grader.delivery(), path);
            }
        });
    }

    private void checkBatches(String who, Agent agent, DeliveryWish delivery, String path) {
        ProviderInfo provider =
                agent.modelAsked().map(asked -> providers.get(asked.provider())).orElse(null);
        if (delivery.way() == Delivery.BATCH && provider != null && provider.batches() == null) {
            problems.add(
                    DocumentPath.field(path, DeliveryReader.FIELD),
                    who + " is asked in batches, and provider " + provider.name()
                            + " has none: its type is not openai, anthropic or google, or `batches: off` is configured."
                            + " Write `delivery: live` for it, or `auto`.");
        }
    }

    /**
     * The reasons why a campaign cannot have a budget: a sentence for each model without a price.
     *
     * @param cap the field that needs a price
     */
    public static List<String> withoutPrice(
            CampaignDefinition definition, Map<String, ProviderInfo> providers, String cap) {
        Stream<Agent> evaluators =
                Stream.concat(evaluators(definition).values().stream(), definition.graderAgents().stream());
        return Stream.concat(definition.branches().stream().map(Branch::agent), evaluators)
                .flatMap(agent -> withoutPrice(agent, providers, cap))
                .distinct()
                .toList();
    }

    private static Stream<String> withoutPrice(Agent agent, Map<String, ProviderInfo> providers, String cap) {
        return switch (agent.cost()) {
            case AgentCost.Nothing _ -> Stream.empty();
            case AgentCost.OfModel(ModelChoice choice) ->
                withoutPrice(choice.provider(), List.of(choice.model()), providers, cap);
            case AgentCost.OfModels(ModelAccess models, var _) ->
                withoutPrice(models.provider(), models.allow(), providers, cap);
            case AgentCost.Stated(BigDecimal mostUsd) ->
                mostUsd == null ? Stream.of(unbounded(agent, cap)) : Stream.empty();
        };
    }

    private static Stream<String> withoutPrice(
            String provider, List<String> models, Map<String, ProviderInfo> providers, String cap) {
        return models.stream()
                .filter(model -> price(provider, model, providers) == null)
                .map(model -> unpriced(provider, model, cap));
    }

    /** The agents that are asked to choose among the branches, by their places in the document; judges of a single branch, too. */
    private static Map<String, Agent> evaluators(CampaignDefinition definition) {
        Map<String, Agent> evaluators = new LinkedHashMap<>();
        definition
                .strategy()
                .plugin()
                .ifPresent(custom ->
                        custom.models().forEach((name, agent) -> evaluators.put(CustomKind.path(name), agent)));
        List<Judge> judges = judges(definition);
        for (int i = 0; i < judges.size(); i++) {
            evaluators.put(judgePath(judges, i), judges.get(i).agent());
        }
        return evaluators;
    }

    private static List<Judge> judges(CampaignDefinition definition) {
        JudgePolicy rule = definition.strategy().judging();
        return rule == null ? List.of() : rule.judges();
    }

    private static String judgePath(List<Judge> judges, int index) {
        return judges.size() == 1 ? "strategy.judge" : DocumentPath.item("strategy.panel", index);
    }

    private static @Nullable Price price(String name, String model, Map<String, ProviderInfo> providers) {
        ProviderInfo provider = providers.get(name);
        return provider == null ? null : provider.price(model);
    }

    /** @param cap the field that needs a price; null: none does */
    private void check(Agent agent, String path, @Nullable String cap) {
        switch (agent.cost()) {
            case AgentCost.Nothing _ -> {}
            case AgentCost.OfModel(ModelChoice choice) -> check(choice, path, cap);
            case AgentCost.OfModels(ModelAccess models, BigDecimal mostUsd) ->
                check(models, DocumentPath.field(path, "models"), mostUsd == null ? cap : "`maxCostUsd`");
            case AgentCost.Stated(BigDecimal mostUsd) -> {
                if (mostUsd == null && cap != null) {
                    problems.add(DocumentPath.field(path, "maxCostUsd"), unbounded(agent, cap));
                }
            }
        }
    }

    private void check(ModelChoice choice, String path, @Nullable String cap) {
        if (choice.provider().isBlank()) {
            return;
        }
        ProviderInfo provider = known(choice.provider(), DocumentPath.field(path, "provider"));
        if (provider != null && cap != null && !choice.model().isBlank() && provider.price(choice.model()) == null) {
            problems.add(DocumentPath.field(path, "model"), unpriced(choice.provider(), choice.model(), cap));
        }
        if (provider != null
                && provider.type() == ProviderType.ANTHROPIC
                && choice.responseFormat() instanceof ResponseFormat.AnyJson) {
            problems.add(
                    DocumentPath.field(DocumentPath.field(path, "parameters"), ResponseFormat.PARAMETER),
                    "Provider " + provider.name() + " answers in JSON after a schema only; write one, as"
                            + " `responseFormat: {schema: …}`, or remove `responseFormat`.");
        }
    }

    /** @param cap the field that needs prices; null: none does */
    private void check(ModelAccess models, String path, @Nullable String cap) {
        String providerPath = DocumentPath.field(path, "provider");
        ProviderInfo provider = models.provider().isBlank() ? null : known(models.provider(), providerPath);
        if (provider == null) {
            return;
        }
        if (provider.type() == null || !FOR_PROGRAMS.contains(provider.type())) {
            problems.add(
                    providerPath,
                    "Programs ask providers of type openai, openai-responses or anthropic only, and " + provider.name()
                            + " is none; name another one.");
        }
        List<String> allow = models.allow();
        for (int i = 0; i < allow.size(); i++) {
            if (cap != null && provider.price(allow.get(i)) == null) {
                problems.add(
                        DocumentPath.item(DocumentPath.field(path, "allow"), i),
                        unpriced(provider.name(), allow.get(i), cap));
            }
        }
    }

    /** The provider of this name; null where it cannot be asked at all, which was reported. */
    private @Nullable ProviderInfo known(String name, String path) {
        ProviderInfo provider = providers.get(name);
        if (problems.foundAt(path)) {
            return null;
        }
        if (provider == null || AgentKinds.providers().contains(name)) {
            problems.add(path, unknown(name));
            return null;
        }
        if (!provider.hasKey()) {
            String variable = provider.keyVariable();
            String advice = variable == null ? "give it one on the server." : "set " + variable + ".";
            problems.add(path, "Provider " + provider.name() + " has no key: " + advice);
        }
        return provider;
    }

    private String unknown(String provider) {
        if (AgentKinds.providers().contains(provider)) {
            return "`" + provider + "` is no provider of models; write `kind: " + provider + "` instead.";
        }
        Optional<OpenAiServer> server = OpenAiServer.named(provider);
        if (server.isPresent()) {
            return "Provider " + provider + " has no key: set " + server.get().keyVariable() + ".";
        }
        List<String> known = providers.keySet().stream()
                .filter(name -> !AgentKinds.providers().contains(name))
                .sorted()
                .toList();
        if (known.isEmpty()) {
            return "Unknown provider `" + provider + "`; no provider is configured, add it to the server's providers.";
        }
        String suggestion = Suggestion.of(provider, known, "providers");
        String all = suggestion.endsWith("?") ? " Known providers are " + String.join(", ", known) + "." : "";
        return "Unknown provider `" + provider + "`; " + suggestion + all;
    }

    private static String unbounded(Agent agent, String cap) {
        return "`maxCostUsd` is missing, which " + cap + " needs: it is unknown what "
                + agent.name().model()
                + " costs; write the most that one attempt may cost, or remove " + cap + ".";
    }

    private static String unpriced(String provider, String model, String cap) {
        return "Model " + model + " of provider " + provider + " has no price, which " + cap
                + " needs; give it one under `prices` of the provider in providers.yaml, or remove " + cap + ".";
    }
}
