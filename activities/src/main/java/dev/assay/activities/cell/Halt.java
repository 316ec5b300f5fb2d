package dev.assay.activities.cell;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.RunKey;
import dev.assay.store.worker.WorkerRepository;
import jakarta.inject.Singleton;
import java.util.List;

/** A check whether the work of an activity is still wanted by its campaign. */
@Singleton
public class Halt {

    private final WorkerRepository workers;

    public Halt(WorkerRepository workers) {
        this.workers = workers;
    }

    /** Whether a branch may go on waiting for its next attempt: nothing has changed that concerns it. */
    public boolean mayWait(RunKey run, int branchIndex) {
        return workers.controls(List.of(run.campaignId())).stream()
                .anyMatch(control -> control.epoch() == run.epoch()
                        && control.state() == CampaignState.RUNNING
                        && !control.cancelledBranches().contains(branchIndex));
    }

    /** Whether the campaign is not RUNNING in the run's epoch. */
    public boolean halted(RunKey run) {
        return workers.controls(List.of(run.campaignId())).stream()
                .noneMatch(control -> control.epoch() == run.epoch() && control.state() == CampaignState.RUNNING);
    }
}
