package dev.assay.activities.campaign;

import dev.assay.campaigns.health.StoredHealth;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.text.Excerpt;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.BranchCounters;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.ProgressRepository;
import dev.assay.workflows.campaign.Observation;
import dev.assay.workflows.campaign.Observation.BranchCounts;
import jakarta.inject.Singleton;
import java.util.List;

/** The progress of a campaign, in the few bytes that its workflow shows. */
@Singleton
public class CampaignObservation {

    private static final int BRANCH_ID_LENGTH = 64;

    private final CampaignDirectory directory;
    private final ProgressRepository progress;
    private final StoredHealth health;

    public CampaignObservation(CampaignDirectory directory, ProgressRepository progress, StoredHealth health) {
        this.directory = directory;
        this.progress = progress;
        this.health = health;
    }

    /** Counts, and judges the health. Temporal answers and the workflow runs, or this would not be called. */
    public Observation of(String campaignId) {
        StoredCampaign campaign = directory.get(campaignId);
        CampaignCounters counters = progress.find(campaignId).orElseThrow();
        ErrorTreatment errors = campaign.definition().gate().demands().errors();
        CampaignHealth judged = health.of(campaign, counters);
        return new Observation(
                campaign.state().name(),
                counters.trialsTotal(),
                counters.trialsDone(),
                counters.trialsFailed(),
                counters.cellsDone() - counters.cellsNotNeeded(),
                counters.cellsPassed(),
                counters.branches().stream()
                        .limit(Observation.MOST_BRANCHES)
                        .map(branch -> branch(branch, errors))
                        .toList(),
                counters.branches().size(),
                judged.status().name(),
                reasons(judged),
                counters.passRate(errors));
    }

    private static BranchCounts branch(BranchCounters branch, ErrorTreatment errors) {
        return new BranchCounts(
                Excerpt.shortened(branch.branchId(), BRANCH_ID_LENGTH),
                branch.done(),
                branch.passed(),
                branch.failed(),
                branch.wins(),
                branch.costUsd(),
                branch.passRate(errors));
    }

    private static List<String> reasons(CampaignHealth health) {
        return health.reasons().stream()
                .limit(Observation.MOST_REASONS)
                .map(reason -> Excerpt.shortened(
                        reason.cells() == null ? reason.message() : reason.message() + " Cells: " + reason.cells(),
                        Observation.MOST_REASON_CHARACTERS))
                .toList();
    }
}
