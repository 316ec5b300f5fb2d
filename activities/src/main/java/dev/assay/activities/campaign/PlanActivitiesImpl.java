package dev.assay.activities.campaign;

import dev.assay.activities.campaign.SlicePages.Page;
import dev.assay.activities.stop.StopLooks;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.stop.StopRule;
import dev.assay.store.StoreException;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.restore.RestoreRepository;
import dev.assay.store.restore.RestoreRepository.Sight;
import dev.assay.store.result.ProgressRepository;
import dev.assay.workflows.campaign.Observation;
import dev.assay.workflows.campaign.PlanActivities;
import dev.assay.workflows.slice.BatchRule;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.BranchRoute;
import dev.assay.workflows.slice.SliceSizing;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plans from PostgreSQL, and the ends of campaigns there. */
@Singleton
public class PlanActivitiesImpl implements PlanActivities {

    private static final Logger LOG = LoggerFactory.getLogger(PlanActivitiesImpl.class);

    private final CampaignDirectory directory;
    private final RestoreRepository restores;
    private final CampaignRepository campaigns;
    private final ProgressRepository progress;
    private final OpenTrials openTrials;
    private final SlicePages slices;
    private final StopLooks stops;
    private final CampaignQueues queues;
    private final CampaignEnd end;
    private final CampaignObservation observation;
    private final RunJournal journal;

    public PlanActivitiesImpl(
            CampaignDirectory directory,
            RestoreRepository restores,
            CampaignRepository campaigns,
            ProgressRepository progress,
            OpenTrials openTrials,
            SlicePages slices,
            StopLooks stops,
            CampaignQueues queues,
            CampaignEnd end,
            CampaignObservation observation,
            RunJournal journal) {
        this.directory = directory;
        this.restores = restores;
        this.campaigns = campaigns;
        this.progress = progress;
        this.openTrials = openTrials;
        this.slices = slices;
        this.stops = stops;
        this.queues = queues;
        this.end = end;
        this.observation = observation;
        this.journal = journal;
    }

    @Override
    public Plan plan(PlanRequest request) {
        Sight sight = restores.look(new RunKey(request.campaignId(), request.epoch()), request.seen());
        if (sight.wentBack()) {
            LOG.warn(
                    "PostgreSQL is in an earlier state than the workflow of campaign {} saw it in; a new epoch begins",
                    request.campaignId());
        }
        campaigns.transition(request.campaignId(), Set.of(CampaignState.PENDING), CampaignState.RUNNING, false, null);
        StoredCampaign campaign = directory.get(request.campaignId());
        Standing standing = standing(campaign, request.epoch());
        TrialGrid grid = campaign.grid();
        int cellsTotal =
                Math.multiplyExact(grid.size(), campaign.definition().branches().size());
        TrialJudges judges = TrialJudges.of(campaign.definition()).orElse(null);
        boolean stops = campaign.stopping().rule() != StopRule.NONE;
        BatchRule rule = BatchRule.FAST.where(stops, judges != null);
        Page page =
                standing == Standing.GO ? page(campaign, cellsTotal, rule, request) : new Page(List.of(), grid.size());
        return new Plan(
                standing,
                campaign.epoch(),
                campaign.name(),
                campaign.suite().name(),
                grid.size(),
                progress.trialsDone(campaign.id(), campaign.epoch()),
                cellsTotal,
                campaign.maxConcurrent(),
                routes(campaign),
                queues.selection(campaign),
                page.slices(),
                page.next(),
                sight.newest(),
                judges,
                stops,
                standing == Standing.GO ? deliveries(campaign) : List.of(),
                page.held());
    }

    private static Standing standing(StoredCampaign campaign, int epoch) {
        return switch (campaign.state()) {
            case PENDING, RUNNING -> campaign.epoch() == epoch ? Standing.GO : Standing.MOVED_ON;
            case PAUSED -> Standing.PAUSED;
            case COMPLETED, CANCELLED, FAILED -> Standing.ENDED;
        };
    }

    private Page page(StoredCampaign campaign, int cellsTotal, BatchRule rule, PlanRequest request) {
        SliceSizing sizing = SliceSizing.of(
                rule, campaign.definition().branches().size(), cellsTotal, campaign.maxConcurrent(), request.pace());
        int trialsOfSlice = sizing.sliceTrials(campaign.grid().size() - request.fromOrdinal());
        OpenTrials.Open open = openTrials.from(campaign, request.fromOrdinal(), SlicePages.PAGE_SLICES * trialsOfSlice);
        int next = stops.closeTrials(campaign, open.positions());
        if (!open.positions().isEmpty() && next > open.positions().getFirst().from()) {
            return new Page(List.of(), next);
        }
        OpenTrials.Ready ready = openTrials.ready(campaign, open);
        return slices.page(
                        campaign,
                        ready.trials(),
                        sizing,
                        trialsOfSlice,
                        request.pace().cells() > 0)
                .holding(ready.holdsOthers());
    }

    /** The ways of cells that may be in batches of providers: one for each kind and model. */
    private List<DeliveryRoute> deliveries(StoredCampaign campaign) {
        return DeliveredSlots.all(campaign).stream()
                .map(asked -> new DeliveryRoute(
                        asked.provider(),
                        asked.model(),
                        asked.branch() == null
                                ? queues.provider(campaign, asked.provider())
                                : queues.branch(campaign, asked.branch()),
                        asked.kind().word()))
                .toList();
    }

    private List<BranchRoute> routes(StoredCampaign campaign) {
        List<BranchRoute> routes = new ArrayList<>();
        var branches = campaign.definition().branches();
        for (int i = 0; i < branches.size(); i++) {
            String queue = queues.branch(campaign, branches.get(i));
            routes.add(new BranchRoute(i, branches.get(i).id(), queue));
        }
        return routes;
    }

    @Override
    public Observation observe(String campaignId, @Nullable String known) {
        Observation now = observation.of(campaignId);
        if (now.mark().equals(known)) {
            throw ApplicationFailure.newBuilder()
                    .setMessage("Nothing has changed since the last look")
                    .setType("UNCHANGED")
                    .setCategory(ApplicationErrorCategory.BENIGN)
                    .build();
        }
        return now;
    }

    @Override
    public void complete(String campaignId, int epoch) {
        try {
            end.complete(new RunKey(campaignId, epoch));
        } catch (StoreException e) {
            // The next plan finds it paused. What cannot be paused is tried again.
            if (!journal.pause(campaignId, e)) {
                throw e;
            }
        }
    }

    @Override
    public void fail(String campaignId, int epoch, String reason) {
        campaigns.fail(new RunKey(campaignId, epoch), reason);
    }
}
