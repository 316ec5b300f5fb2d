package dev.assay.activities.cell;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.RunKey;
import dev.assay.store.cell.CellKey;
import dev.assay.store.worker.WorkerRepository;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A check whether the work of an activity is still wanted by its campaign. */
@Singleton
public class Halt {

    private final WorkerRepository workers;

    public Halt(WorkerRepository workers) {
        this.workers = workers;
    }

    /** Whether a branch may go on waiting for its next attempt: nothing has changed that concerns it. */
    public boolean mayWait(RunKey run, int branchIndex) {
        return goesOn(run, Set.of(branchIndex));
    }

    /** Whether cells may go on waiting for their next attempt: nothing has changed that concerns one of them. */
    public boolean mayWait(RunKey run, Collection<CellKey> cells) {
        return goesOn(
                run,
                cells.stream()
                        .flatMap(cell -> Stream.ofNullable(cell.kind().branch(cell.slot())))
                        .collect(Collectors.toSet()));
    }

    private boolean goesOn(RunKey run, Set<Integer> branches) {
        return workers.controls(List.of(run.campaignId())).stream()
                .anyMatch(control -> control.epoch() == run.epoch()
                        && control.state() == CampaignState.RUNNING
                        && Collections.disjoint(control.cancelledBranches(), branches));
    }

    /** Whether the campaign is not RUNNING in the run's epoch. */
    public boolean halted(RunKey run) {
        return workers.controls(List.of(run.campaignId())).stream()
                .noneMatch(control -> control.epoch() == run.epoch() && control.state() == CampaignState.RUNNING);
    }
}
