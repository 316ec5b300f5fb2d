package dev.assay.domain.campaignfile;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.Suggestion;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.usage.Price;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks that the models of a campaign can be asked, and paid for where a budget counts. Replays and scripts always can. */
public final class ProviderRules {

    private final Map<String, ProviderInfo> providers;
    private final Problems problems;

    ProviderRules(Map<String, ProviderInfo> providers, Problems problems) {
        this.providers = providers;
        this.problems = problems;
    }

    void check(CampaignDefinition definition) {
        boolean hasBudget = definition.limits().budgetUsd() != null;
        List<Branch> branches = definition.branches();
        for (int i = 0; i < branches.size(); i++) {
            boolean hasCap = branches.get(i).limits().maxCostUsd() != null;
            String cap = hasBudget ? "`limits.budgetUsd`" : hasCap ? "`maxCostUsd`" : null;
            check(branches.get(i).agent(), DocumentPath.item("branches", i), cap);
        }
        List<Judge> judges = judges(definition);
        for (int i = 0; i < judges.size(); i++) {
            String path = judges.size() == 1 ? "strategy.judge" : DocumentPath.item("strategy.panel", i);
            check(judges.get(i).agent(), path, hasBudget ? "`limits.budgetUsd`" : null);
        }
    }

    /**
     * Why a campaign cannot have a budget: a sentence for each model without a price.
     *
     * @param cap the field that needs a price
     */
    public static List<String> withoutPrice(
            CampaignDefinition definition, Map<String, ProviderInfo> providers, String cap) {
        Stream<Agent> judges = judges(definition).stream().map(Judge::agent);
        return Stream.concat(definition.branches().stream().map(Branch::agent), judges)
                .flatMap(agent -> agent instanceof Agent.Model(ModelChoice choice) ? Stream.of(choice) : Stream.empty())
                .filter(choice -> price(choice, providers) == null)
                .map(choice -> unpriced(choice, cap))
                .distinct()
                .toList();
    }

    private static List<Judge> judges(CampaignDefinition definition) {
        JudgePolicy rule = definition.strategy().judging();
        return rule == null ? List.of() : rule.judges();
    }

    private static @Nullable Price price(ModelChoice choice, Map<String, ProviderInfo> providers) {
        ProviderInfo provider = providers.get(choice.provider());
        return provider == null ? null : provider.price(choice.model());
    }

    /** @param cap the field that needs a price; null: none does */
    private void check(Agent agent, String path, @Nullable String cap) {
        if (!(agent instanceof Agent.Model(ModelChoice choice))
                || choice.provider().isBlank()) {
            return;
        }
        String providerPath = DocumentPath.field(path, "provider");
        ProviderInfo provider = providers.get(choice.provider());
        if (problems.foundAt(providerPath)) {
            return;
        }
        if (provider == null || Agent.BUILT_IN_PROVIDERS.contains(choice.provider())) {
            problems.add(providerPath, unknown(choice.provider()));
            return;
        }
        if (!provider.hasKey()) {
            String variable = provider.keyVariable();
            String advice = variable == null ? "give it one on the server." : "set " + variable + ".";
            problems.add(providerPath, "Provider " + provider.name() + " has no key: " + advice);
        }
        if (cap != null && !choice.model().isBlank() && price(choice, providers) == null) {
            problems.add(DocumentPath.field(path, "model"), unpriced(choice, cap));
        }
    }

    private String unknown(String provider) {
        if (Agent.BUILT_IN_PROVIDERS.contains(provider)) {
            return "`" + provider + "` is no provider of models; write `kind: " + provider + "` instead.";
        }
        List<String> known = providers.keySet().stream()
                .filter(name -> !Agent.BUILT_IN_PROVIDERS.contains(name))
                .sorted()
                .toList();
        if (known.isEmpty()) {
            return "Unknown provider `" + provider + "`; no provider is configured, add it to the server's providers.";
        }
        String suggestion = Suggestion.of(provider, known, "providers");
        String all = suggestion.endsWith("?") ? " Known providers are " + String.join(", ", known) + "." : "";
        return "Unknown provider `" + provider + "`; " + suggestion + all;
    }

    private static String unpriced(ModelChoice choice, String cap) {
        return "Model " + choice.model() + " of provider " + choice.provider() + " has no price, which " + cap
                + " needs; give it one under `prices` of the provider in providers.yaml, or remove " + cap + ".";
    }
}
