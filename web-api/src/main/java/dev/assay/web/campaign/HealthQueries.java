package dev.assay.web.campaign;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.EndInTemporal;
import dev.assay.domain.health.HealthCheck;
import dev.assay.domain.health.HealthFacts;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.health.HealthRepository;
import dev.assay.store.health.StoreProbe;
import dev.assay.store.result.CampaignCounters;
import dev.assay.workflows.TaskQueues;
import jakarta.inject.Singleton;
import java.time.Duration;

/** The health of campaigns, as PostgreSQL and Temporal know it. */
@Singleton
final class HealthQueries {

    /**
     * While something was recorded since then, the campaign's workflow runs. Temporal, which may be busy, is then not asked: a
     * client that polls progress neither waits for it nor loads it.
     */
    private static final Duration RECENT = Duration.ofSeconds(2);

    private final HealthRepository health;
    private final StoreProbe probe;
    private final CampaignLauncher launcher;

    HealthQueries(HealthRepository health, StoreProbe probe, CampaignLauncher launcher) {
        this.health = health;
        this.probe = probe;
        this.launcher = launcher;
    }

    /** The health by PostgreSQL alone, for lists: Temporal would be asked for one campaign after the other. */
    CampaignHealth inStore(StoredCampaign campaign, CampaignCounters counters) {
        return HealthCheck.of(facts(campaign, counters));
    }

    private HealthFacts facts(StoredCampaign campaign, CampaignCounters counters) {
        long open = counters.cellsTotal() - counters.cellsDone();
        HealthFacts facts = health.facts(campaign, open, TaskQueues::provider);
        return driven(campaign) && facts.workers().live() == 0
                ? facts.refusedBy(probe.look().orElse(null))
                : facts;
    }

    private static boolean driven(StoredCampaign campaign) {
        return campaign.state() == CampaignState.PENDING || campaign.state() == CampaignState.RUNNING;
    }

    CampaignHealth of(StoredCampaign campaign, CampaignCounters counters) {
        HealthFacts facts = facts(campaign, counters);
        boolean silent = facts.idle().compareTo(RECENT) > 0;
        return HealthCheck.of(driven(campaign) && silent ? withDriver(campaign, facts) : facts);
    }

    private HealthFacts withDriver(StoredCampaign campaign, HealthFacts facts) {
        HealthFacts.Driver driver = launcher.driver(campaign.id());
        EndInTemporal end = driver == HealthFacts.Driver.ENDED ? launcher.operatorEnd(campaign) : null;
        if (end != null) {
            return facts.endedInTemporal(end.sentence(campaign.id()));
        }
        return facts.drivenBy(driver == HealthFacts.Driver.ENDED ? HealthFacts.Driver.MISSING : driver);
    }
}
