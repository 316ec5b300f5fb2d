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

    /** Whether nothing has changed for which a branch that waits for its next attempt is to be looked at. */
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
