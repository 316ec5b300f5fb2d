package dev.assay.activities.code;

import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.command.CodePermission;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.code.CodeNeed;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.workflows.TaskQueues;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The workers that run own code. */
@Singleton
public class CodePlacing {

    private final CodePermission permission;
    private final ProviderQueries workers;

    CodePlacing(CodePermission permission, ProviderQueries workers) {
        this.permission = permission;
        this.workers = workers;
    }

    /** The queue of workers that run all that a trial needs; null: this one does, or none does. */
    public @Nullable String elsewhere(StoredCampaign campaign, List<CodeNeed> needs) {
        CodeFiles files = campaign.definition().code();
        CodeNeed lacking = needs.stream()
                .filter(need -> permission.leaves(files, need))
                .findFirst()
                .orElse(null);
        return lacking == null || workers.offers().stream().noneMatch(offer -> runsAll(offer, files, needs))
                ? null
                : TaskQueues.code(lacking.language().word());
    }

    /**
     * Leaves a cell to another worker, where this one may not run code that it needs and another may.
     *
     * @throws InterruptedException when it is left
     */
    public void leave(CellAttempt attempt, CodeNeed need) throws InterruptedException {
        if (elsewhere(attempt.campaign(), List.of(need)) != null) {
            attempt.cell().stop(StopReason.NO_PERMIT);
            throw new InterruptedException(
                    "This worker may not run code in " + need.language().word());
        }
    }

    private static boolean runsAll(ToolPolicy offer, CodeFiles files, List<CodeNeed> needs) {
        return needs.stream().allMatch(need -> OwnCode.refusal(need, files, offer) == null);
    }
}
