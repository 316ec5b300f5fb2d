package dev.assay.campaigns.health;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.delivery.AutoDelivery;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.HealthCheck;
import dev.assay.domain.health.HealthFacts;
import dev.assay.domain.health.OutBatch;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.ProviderBatch;
import dev.assay.store.health.HealthRepository;
import dev.assay.store.health.StoreProbe;
import dev.assay.store.result.CampaignCounters;
import dev.assay.workflows.TaskQueues;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The health of campaigns as PostgreSQL knows it: for their own workflows, and for lists, which would ask Temporal for one campaign
 * after the other.
 */
@Singleton
public final class StoredHealth {

    private final HealthRepository health;
    private final StoreProbe probe;
    private final BatchRepository batches;

    StoredHealth(HealthRepository health, StoreProbe probe, BatchRepository batches) {
        this.batches = batches;
        this.health = health;
        this.probe = probe;
    }

    /** The health of a campaign, on the assumption that its workflow runs. */
    public CampaignHealth of(StoredCampaign campaign, CampaignCounters counters) {
        return HealthCheck.of(facts(campaign, counters));
    }

    HealthFacts facts(StoredCampaign campaign, CampaignCounters counters) {
        long open = counters.cellsTotal() - counters.cellsDone();
        HealthFacts known = health.facts(campaign, open, TaskQueues::provider);
        HealthFacts facts = campaign.definition().mayBeOut() ? known.outIn(out(campaign)) : known;
        return isDriven(campaign) && facts.workers().live() == 0
                ? facts.refusedBy(probe.look().orElse(null))
                : facts;
    }

    private List<OutBatch> out(StoredCampaign campaign) {
        Map<Model, Optional<Duration>> usual = new HashMap<>();
        return batches.openOf(campaign.id()).stream()
                .map(batch -> batch.asOut(
                        usual.computeIfAbsent(Model.of(batch), this::usual).orElse(null)))
                .toList();
    }

    private record Model(String provider, String name) {

        static Model of(ProviderBatch batch) {
            return new Model(batch.of().provider(), batch.of().model());
        }
    }

    private Optional<Duration> usual(Model model) {
        List<Duration> last = batches.lastDurations(model.provider(), model.name());
        return last.isEmpty() ? Optional.empty() : Optional.of(AutoDelivery.median(last));
    }

    /** Whether a workflow should drive it. */
    static boolean isDriven(StoredCampaign campaign) {
        return campaign.state() == CampaignState.PENDING || campaign.state() == CampaignState.RUNNING;
    }
}
