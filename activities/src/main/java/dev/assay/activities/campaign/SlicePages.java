package dev.assay.activities.campaign;

import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.plan.TrialOrder;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.Utf8;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.suite.CaseRepository;
import dev.assay.workflows.campaign.PlanActivities.SlicePlan;
import dev.assay.workflows.slice.SliceSizing;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The cut of open trials into slices. Slices that run side by side are dealt their trials in turn, so that together they go through
 * the campaign round by round.
 */
@Singleton
public class SlicePages {

    /** Slices up to this size get a label for each trial; larger ones would swell Temporal's history. */
    private static final int LABELLED_TRIALS = 100;

    private static final int RANGE_BYTES = 25;

    /** Keeps a page, and with it Temporal's history, below 16 KB. */
    private static final int PAGE_BYTES = 8_000;

    /** The most slices of a page. */
    static final int PAGE_SLICES = 12;

    /** The more blocks, the closer slices go together; each is one range of a page. */
    private static final int BLOCKS_OF_SLICE = 20;

    private static final int LABEL_LENGTH = 60;

    private final CaseRepository cases;

    SlicePages(CaseRepository cases) {
        this.cases = cases;
    }

    /**
     * The next slices.
     *
     * @param next the first position behind them
     * @param held whether open trials were left out, since their cells wait for batches of providers
     */
    record Page(List<SlicePlan> slices, int next, boolean held) {

        Page(List<SlicePlan> slices, int next) {
            this(slices, next, false);
        }

        Page holding(boolean others) {
            return new Page(slices, next, others);
        }
    }

    /**
     * Some slices.
     *
     * @param lanes slices that run side by side, at least 1
     * @param trials of a slice, at least 1
     */
    private record Cut(int lanes, int trials) {

        List<List<OrdinalRange>> groups(List<OrdinalRange> open) {
            return OrdinalRanges.pieces(open, Math.multiplyExact(lanes, trials));
        }

        List<List<OrdinalRange>> slices(List<OrdinalRange> group) {
            int size = OrdinalRanges.size(group);
            int hands = Math.ceilDiv(size, trials);
            return OrdinalRanges.dealt(group, hands, Math.ceilDiv(Math.ceilDiv(size, hands), BLOCKS_OF_SLICE));
        }

        Cut smaller() {
            return lanes > SliceSizing.FEWEST_LANES
                    ? new Cut(Math.max(SliceSizing.FEWEST_LANES, lanes / 2), trials)
                    : new Cut(lanes, Math.ceilDiv(trials, 2));
        }
    }

    /**
     * The first slices of {@code open}.
     *
     * @param isMeasured whether the speed of cells is known; while it is not, only as many slices are cut as run at once
     */
    Page page(StoredCampaign campaign, OpenTrials.Open open, SliceSizing sizing, int trials, boolean isMeasured) {
        if (open.positions().isEmpty()) {
            return new Page(List.of(), open.next());
        }
        Cut cut = fitting(campaign, new Cut(sizing.lanes(), trials), open.positions());
        List<SlicePlan> slices = new ArrayList<>();
        long bytes = 0;
        for (List<OrdinalRange> group : cut.groups(open.positions())) {
            List<SlicePlan> more = slices(campaign, cut, group);
            bytes += bytes(more);
            boolean isFull = !isMeasured || bytes > PAGE_BYTES || slices.size() + more.size() > PAGE_SLICES;
            if (isFull && !slices.isEmpty()) {
                return new Page(slices, group.getFirst().from());
            }
            slices.addAll(more);
        }
        return new Page(slices, open.next());
    }

    /** A cut whose slices that run side by side are together on a page. */
    private Cut fitting(StoredCampaign campaign, Cut wanted, List<OrdinalRange> open) {
        Cut cut = wanted;
        while (cut.trials() > 1 && bytes(slices(campaign, cut, cut.groups(open).getFirst())) > PAGE_BYTES) {
            cut = cut.smaller();
        }
        return cut;
    }

    private List<SlicePlan> slices(StoredCampaign campaign, Cut cut, List<OrdinalRange> group) {
        return cut.slices(group).stream().map(slice -> slice(campaign, slice)).toList();
    }

    private SlicePlan slice(StoredCampaign campaign, List<OrdinalRange> positions) {
        return new SlicePlan(
                positions, OrdinalRanges.size(positions) <= LABELLED_TRIALS ? labels(campaign, positions) : Map.of());
    }

    private Map<Integer, String> labels(StoredCampaign campaign, List<OrdinalRange> positions) {
        TrialGrid grid = campaign.grid();
        TrialOrder order = campaign.order();
        Set<Integer> indexes =
                order.ordinals(positions).stream().map(grid::caseIndex).collect(Collectors.toCollection(TreeSet::new));
        Map<Integer, String> ids = cases.ids(campaign.suiteId(), indexes);
        Map<Integer, String> labels = new TreeMap<>();
        OrdinalRanges.ordinals(positions).forEach(position -> {
            int caseIndex = grid.caseIndex(order.ordinal(position));
            String id = ids.getOrDefault(caseIndex, "case " + caseIndex);
            labels.put(position, Excerpt.shortened(id, LABEL_LENGTH) + ", trial " + grid.trial(position));
        });
        long bytes = labels.values().stream().mapToLong(Utf8::length).sum();
        return bytes <= SlicePlan.MOST_LABEL_BYTES ? labels : Map.of();
    }

    private static long bytes(List<SlicePlan> slices) {
        return slices.stream().mapToLong(SlicePages::bytes).sum();
    }

    private static long bytes(SlicePlan slice) {
        return (long) slice.trials().size() * RANGE_BYTES
                + slice.labels().values().stream()
                        .mapToLong(label -> Utf8.length(label) + RANGE_BYTES)
                        .sum();
    }
}
