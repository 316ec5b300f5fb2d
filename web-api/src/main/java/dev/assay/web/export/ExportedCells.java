package dev.assay.web.export;

import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.OutcomeFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells that an export is of.
 *
 * @param positions of the cases, ascending; null: of all
 */
record ExportedCells(
        StoredCampaign campaign,
        OutcomeFilter filter,
        @Nullable List<Integer> positions) {

    ExportedCells {
        positions = positions == null ? null : List.copyOf(positions);
    }

    /** The same cells, of one branch only. */
    ExportedCells ofBranch(String branchId) {
        OutcomeFilter only = new OutcomeFilter(
                filter.caseId(),
                branchId,
                filter.trial(),
                filter.status(),
                filter.passed(),
                filter.label(),
                filter.source());
        return new ExportedCells(campaign, only, positions);
    }
}
