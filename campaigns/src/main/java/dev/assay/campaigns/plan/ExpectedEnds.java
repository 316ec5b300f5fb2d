package dev.assay.campaigns.plan;

import dev.assay.domain.account.AccountFacts.Speed;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.limit.EndForecast;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.PoolWork;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.usage.Usage;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.health.PaceRepository;
import dev.assay.store.health.PaceRepository.Pace;
import dev.assay.store.health.PaceRepository.WaitingCampaigns;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.store.result.BranchCounters;
import dev.assay.store.result.CampaignCounters;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says how fast campaigns go, and when they will have asked all that they ask. */
@Singleton
public final class ExpectedEnds {

    private final PaceRepository paces;
    private final ProviderQueries providers;
    private final LimitsOfProviders limits;

    ExpectedEnds(PaceRepository paces, ProviderQueries providers, LimitsOfProviders limits) {
        this.paces = paces;
        this.providers = providers;
        this.limits = limits;
    }

    /**
     * The speed of a campaign, and when it will have ended at that.
     *
     * @param open cells that are still to be asked
     */
    public Speed of(StoredCampaign campaign, CampaignCounters counters, long open) {
        if (campaign.state() != CampaignState.RUNNING) {
            return new Speed(null, null);
        }
        Pace pace = paces.of(campaign.id());
        Duration window = Duration.ofMillis(pace.windowMs());
        Duration left = EndForecast.of(open, pace.closed(), window, work(campaign, counters));
        return new Speed(
                EndForecast.perSecond(pace.closed(), window),
                left == null ? null : Instant.now().plus(left));
    }

    /** What the open cells of each branch take. Of one that nothing is known of yet its requests count alone. */
    private List<PoolWork> work(StoredCampaign campaign, CampaignCounters counters) {
        Map<String, ProviderInfo> known = limits.inForce(providers.known());
        Map<String, Long> sharers = paces.waiting().stream()
                .collect(Collectors.toMap(WaitingCampaigns::provider, WaitingCampaigns::campaigns));
        List<Branch> branches = campaign.definition().branches();
        Map<String, PoolWork> pools = new LinkedHashMap<>();
        for (BranchCounters branch : counters.branches()) {
            branches.get(branch.branchIndex()).agent().modelAsked().ifPresent(choice -> {
                LimitsInfo group = group(known, choice);
                if (group != null) {
                    long open = Math.max(0, counters.trialsTotal() - branch.done() - branch.notNeeded());
                    Map<LimitKind, Long> part = part(group, sharers.getOrDefault(choice.provider(), 1L));
                    String name = choice.provider() + "/" + group.models();
                    pools.merge(name, work(name, accounts(known, choice), part, branch, open), PoolWork::and);
                }
            });
        }
        return new ArrayList<>(pools.values());
    }

    private static int accounts(Map<String, ProviderInfo> known, ModelChoice choice) {
        ProviderInfo provider = known.get(choice.provider());
        return provider == null ? 1 : provider.accounts();
    }

    private static @Nullable LimitsInfo group(Map<String, ProviderInfo> known, ModelChoice choice) {
        ProviderInfo provider = known.get(choice.provider());
        return provider == null ? null : provider.limitsOf(choice.model());
    }

    /** Campaigns that wait there have equal parts. */
    private static Map<LimitKind, Long> part(LimitsInfo group, long sharers) {
        Map<LimitKind, Long> part = new EnumMap<>(LimitKind.class);
        group.known().forEach((kind, limit) -> part.put(kind, Math.max(1, limit / Math.max(1, sharers))));
        return part;
    }

    private static PoolWork work(
            String name, int accounts, Map<LimitKind, Long> part, BranchCounters branch, long open) {
        Usage used = branch.tokens().usage();
        return new PoolWork(
                name,
                accounts,
                open,
                ofOpen(used.input(), branch.done(), open),
                ofOpen(used.output(), branch.done(), open),
                null,
                part);
    }

    private static long ofOpen(@Nullable Long used, long done, long open) {
        return used == null || done == 0 ? 0 : Math.round((double) used / done * open);
    }
}
