package dev.assay.activities.branch;

import dev.assay.activities.call.CampaignEvents;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.DeliveredCell;
import dev.assay.activities.call.ModelResolver;
import dev.assay.activities.cell.RunningCell;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import jakarta.inject.Singleton;

/** The cells of branches whose requests go out in batches of their providers, and come back. */
@Singleton
public class DeliveredBranches {

    private final BranchCalls calls;
    private final ModelResolver models;
    private final CampaignEvents listeners;

    DeliveredBranches(BranchCalls calls, ModelResolver models, CampaignEvents listeners) {
        this.calls = calls;
        this.models = models;
        this.listeners = listeners;
    }

    /**
     * A cell of a branch.
     *
     * @param epoch of the campaign in which it goes or went out
     * @param attempt of the cell, from 1
     */
    public DeliveredCell of(StoredCampaign campaign, int epoch, CellKey key, int attempt, Case suiteCase) {
        CellAttempt one = new CellAttempt(campaign, RunningCell.out(key, epoch), attempt, 0, 0, 0);
        return new DeliveredBranch(
                new BranchCall(calls, one, suiteCase, listeners.of(campaign).quietly()), one, models);
    }
}
