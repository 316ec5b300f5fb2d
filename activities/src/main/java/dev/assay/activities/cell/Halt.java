package dev.assay.activities.cell;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.worker.WorkerRepository;
import jakarta.inject.Singleton;
import java.util.List;

/** Whether a campaign still wants what an activity was asked to do. */
@Singleton
public class Halt {

    private final WorkerRepository workers;

    public Halt(WorkerRepository workers) {
        this.workers = workers;
    }

    /** Whether the campaign is not RUNNING in {@code epoch}. */
    public boolean halted(String campaignId, int epoch) {
        return workers.controls(List.of(campaignId)).stream()
                .noneMatch(control -> control.epoch() == epoch && control.state() == CampaignState.RUNNING);
    }
}
