package dev.assay.activities.campaign;

import dev.assay.activities.stop.StopLooks;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.text.Excerpt;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.restore.RestoreRepository;
import dev.assay.store.restore.RestoreRepository.Sight;
import dev.assay.store.suite.CaseRepository;
import dev.assay.store.trial.TrialRepository;
import dev.assay.workflows.campaign.Observation;
import dev.assay.workflows.campaign.PlanActivities;
import dev.assay.workflows.slice.BatchRule;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.BranchRoute;
import dev.assay.workflows.slice.SliceSizing;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plans from PostgreSQL, and the ends of campaigns there. */
@Singleton
public class PlanActivitiesImpl implements PlanActivities {

    private static final Logger LOG = LoggerFactory.getLogger(PlanActivitiesImpl.class);

    /** Slices up to this size get a label for each trial; larger ones would swell Temporal's history. */
    private static final int LABELLED_TRIALS = 100;

    /** Keeps a slice's input small: 200 ranges are about 5 KB. */
    private static final int RANGES_PER_SLICE = 200;

    private static final int RANGE_BYTES = 25;

    /** Keeps a page, and with it Temporal's history, below 16 KB. */
    private static final int PAGE_BYTES = 8_000;

    private static final int PAGE_SLICES = 12;

    private static final int LABEL_LENGTH = 60;

    private final CampaignDirectory directory;
    private final RestoreRepository restores;
    private final CampaignRepository campaigns;
    private final TrialRepository trials;
    private final CaseRepository cases;
    private final StopLooks stops;
    private final CampaignQueues queues;
    private final CampaignEnd end;
    private final CampaignObservation observation;

    public PlanActivitiesImpl(
            CampaignDirectory directory,
            RestoreRepository restores,
            CampaignRepository campaigns,
            TrialRepository trials,
            CaseRepository cases,
            StopLooks stops,
            CampaignQueues queues,
            CampaignEnd end,
            CampaignObservation observation) {
        this.directory = directory;
        this.restores = restores;
        this.campaigns = campaigns;
        this.trials = trials;
        this.cases = cases;
        this.stops = stops;
        this.queues = queues;
        this.end = end;
        this.observation = observation;
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
        Page page = standing == Standing.GO ? page(campaign, cellsTotal, request) : new Page(List.of(), grid.size());
        return new Plan(
                standing,
                campaign.epoch(),
                campaign.name(),
                campaign.suite().name(),
                grid.size(),
                trials.countDone(campaign.run()),
                cellsTotal,
                campaign.maxConcurrent(),
                routes(campaign),
                queues.selection(campaign),
                page.slices(),
                page.next(),
                sight.newest());
    }

    private static Standing standing(StoredCampaign campaign, int epoch) {
        return switch (campaign.state()) {
            case PENDING, RUNNING -> campaign.epoch() == epoch ? Standing.GO : Standing.MOVED_ON;
            case PAUSED -> Standing.PAUSED;
            case COMPLETED, CANCELLED, FAILED -> Standing.ENDED;
        };
    }

    /** The next slices, and the first trial number behind them. */
    private record Page(List<SlicePlan> slices, int next) {}

    private Page page(StoredCampaign campaign, int cellsTotal, PlanRequest request) {
        int end = campaign.grid().size();
        List<OrdinalRange> open = open(campaign, request.fromOrdinal());
        int next = stops.closeTrials(campaign, open);
        if (!open.isEmpty() && next > open.getFirst().from()) {
            return new Page(List.of(), next);
        }
        SliceSizing sizing = SliceSizing.of(
                BatchRule.PACED,
                campaign.definition().branches().size(),
                cellsTotal,
                campaign.maxConcurrent(),
                request.pace());
        // While nothing is measured, one slice more than run at once. The workflow asks for the next page when that one
        // starts, and the speed is known by then.
        int most = request.pace().cells() == 0 ? sizing.lanes() + 1 : PAGE_SLICES;
        List<SlicePlan> slices = new ArrayList<>();
        int bytes = 0;
        for (List<OrdinalRange> piece : OrdinalRanges.pieces(open, sizing.sliceTrials(end - request.fromOrdinal()))) {
            SlicePlan slice = slice(campaign, piece);
            bytes += bytes(slice);
            if (!slices.isEmpty() && (bytes > PAGE_BYTES || slices.size() == most)) {
                return new Page(slices, slices.getLast().trials().getLast().to());
            }
            slices.add(slice);
        }
        // As many ranges as were asked for: there may be more.
        return new Page(
                slices, open.size() < RANGES_PER_SLICE ? end : open.getLast().to());
    }

    private List<OrdinalRange> open(StoredCampaign campaign, int from) {
        return trials.open(campaign.run(), from, campaign.grid().size(), RANGES_PER_SLICE);
    }

    private static int bytes(SlicePlan slice) {
        return slice.trials().size() * RANGE_BYTES
                + slice.labels().values().stream()
                        .mapToInt(label -> utf8(label) + RANGE_BYTES)
                        .sum();
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private SlicePlan slice(StoredCampaign campaign, List<OrdinalRange> ranges) {
        int size = ranges.stream().mapToInt(OrdinalRange::size).sum();
        return new SlicePlan(List.copyOf(ranges), size <= LABELLED_TRIALS ? labels(campaign, ranges) : Map.of());
    }

    private Map<Integer, String> labels(StoredCampaign campaign, List<OrdinalRange> ranges) {
        TrialGrid grid = campaign.grid();
        Set<Integer> indexes = new TreeSet<>();
        ranges.forEach(range -> {
            for (int ordinal = range.from(); ordinal < range.to(); ordinal++) {
                indexes.add(grid.caseIndex(ordinal));
            }
        });
        Map<Integer, String> ids = cases.ids(campaign.suiteId(), indexes);
        Map<Integer, String> labels = new TreeMap<>();
        ranges.forEach(range -> {
            for (int ordinal = range.from(); ordinal < range.to(); ordinal++) {
                String id = ids.getOrDefault(grid.caseIndex(ordinal), "case " + grid.caseIndex(ordinal));
                labels.put(ordinal, Excerpt.shortened(id, LABEL_LENGTH) + ", trial " + grid.trial(ordinal));
            }
        });
        int bytes = labels.values().stream().mapToInt(PlanActivitiesImpl::utf8).sum();
        return bytes <= SlicePlan.MOST_LABEL_BYTES ? labels : Map.of();
    }

    private List<BranchRoute> routes(StoredCampaign campaign) {
        List<BranchRoute> routes = new ArrayList<>();
        var branches = campaign.definition().branches();
        for (int i = 0; i < branches.size(); i++) {
            String queue = queues.provider(campaign, branches.get(i).agent().provider());
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
        end.complete(new RunKey(campaignId, epoch));
    }

    @Override
    public void fail(String campaignId, int epoch, String reason) {
        campaigns.fail(new RunKey(campaignId, epoch), reason);
    }
}
