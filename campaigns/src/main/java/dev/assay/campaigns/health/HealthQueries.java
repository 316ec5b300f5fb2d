package dev.assay.campaigns.health;

import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.domain.health.EndInTemporal;
import dev.assay.domain.health.HealthFacts;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.CampaignCounters;
import jakarta.inject.Singleton;
import java.time.Duration;

/** The health of campaigns, as PostgreSQL and Temporal know it. */
@Singleton
public final class HealthQueries {

    /**
     * While something was recorded since then, the campaign's workflow runs. Temporal, which may be busy, is then not asked: a
     * client that polls progress neither waits for it nor loads it.
     */
    private static final Duration RECENT = Duration.ofSeconds(2);

    private final StoredHealth stored;
    private final CampaignLauncher launcher;

    HealthQueries(StoredHealth stored, CampaignLauncher launcher) {
        this.stored = stored;
        this.launcher = launcher;
    }

    /** The facts of its health by PostgreSQL and, where nothing was recorded lately, by Temporal. */
    public HealthFacts facts(StoredCampaign campaign, CampaignCounters counters) {
        HealthFacts facts = stored.facts(campaign, counters);
        boolean silent = facts.idle().compareTo(RECENT) > 0;
        return StoredHealth.isDriven(campaign) && silent ? withDriver(campaign, facts) : facts;
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
