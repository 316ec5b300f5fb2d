package dev.assay.activities.cell;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.worker.WorkerRepository;
import jakarta.inject.Singleton;
import java.util.List;

/** Whether a campaign still wants what an activity was asked to do. */
@Singleton
public class Halt {

    private final WorkerRepository workers;
    private final Permits permits;

    public Halt(WorkerRepository workers, Permits permits) {
        this.workers = workers;
        this.permits = permits;
    }

    /** Whether the campaign is not RUNNING in {@code epoch}. Puts the campaign's limit in force on the way. */
    public boolean halted(String campaignId, int epoch) {
        return workers.controls(List.of(campaignId)).stream()
                .peek(control -> permits.limitCampaign(campaignId, control.maxConcurrent()))
                .noneMatch(control -> control.epoch() == epoch && control.state() == CampaignState.RUNNING);
    }
}
