package dev.assay.activities.campaign;

import dev.assay.domain.plan.DrawnOrder;
import dev.assay.domain.plan.GivenOrder;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.domain.plan.TrialOrder;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.delivery.EnlistRepository;
import dev.assay.store.trial.TrialRepository;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The open trials of campaigns, by their positions in the order in which they are asked. */
@Singleton
public class OpenTrials {

    /** Keeps a plan small: 200 ranges are about 5 KB. */
    private static final int MOST_RANGES = 200;

    /** The most trials of a drawn order that one statement looks at: it takes tens of milliseconds. */
    private static final int LOOKED_AT_ONCE = 20_000;

    private final TrialRepository trials;
    private final EnlistRepository cells;

    OpenTrials(TrialRepository trials, EnlistRepository cells) {
        this.trials = trials;
        this.cells = cells;
    }

    /**
     * Some open trials.
     *
     * @param positions theirs, ascending, at most 200 ranges; none when no further trial is open
     * @param next where to look for more, behind all positions that were looked at
     */
    record Open(List<OrdinalRange> positions, int next) {}

    /**
     * Open trials of which no cell waits for a batch of its provider.
     *
     * @param holdsOthers whether open trials were left out
     */
    record Ready(Open trials, boolean holdsOthers) {}

    /** Those of {@code open} that a slice may have. Where that is none, looks on to the end. */
    Ready ready(StoredCampaign campaign, Open open) {
        List<Integer> branches = DeliveredSlots.of(campaign);
        boolean mayCallsBeOut = DeliveredSlots.mayCallsBeOut(campaign);
        if (branches.isEmpty() && !mayCallsBeOut) {
            return new Ready(open, false);
        }
        boolean holds = false;
        Open at = open;
        while (!at.positions().isEmpty()) {
            List<OrdinalRange> ready = new ArrayList<>();
            int looked = at.positions().getFirst().from();
            for (List<OrdinalRange> piece : OrdinalRanges.pieces(at.positions(), LOOKED_AT_ONCE)) {
                Set<Integer> free = new TreeSet<>(
                        cells.ready(campaign.run(), branches, campaign.order().ordinals(piece)));
                if (mayCallsBeOut) {
                    free.removeAll(cells.waiting(campaign.id(), free));
                }
                List<OrdinalRange> found = campaign.order().positions(free);
                holds |= OrdinalRanges.size(found) < OrdinalRanges.size(piece);
                ready.addAll(found);
                looked = piece.getLast().to();
                if (ready.size() >= MOST_RANGES || OrdinalRanges.size(ready) >= LOOKED_AT_ONCE) {
                    break;
                }
            }
            boolean isAll = looked == at.positions().getLast().to();
            if (!ready.isEmpty() || (at.next() >= campaign.grid().size() && isAll)) {
                Open first = first(ready, isAll ? at.next() : looked);
                return new Ready(first, holds);
            }
            at = from(campaign, isAll ? at.next() : looked, LOOKED_AT_ONCE);
        }
        return new Ready(at, holds);
    }

    /**
     * The first open trials from position {@code from} on.
     *
     * @param enough trials for which the caller has use, at least 1
     */
    Open from(StoredCampaign campaign, int from, int enough) {
        return switch (campaign.order()) {
            case GivenOrder _ ->
                first(
                        trials.open(campaign.run(), from, campaign.grid().size(), MOST_RANGES),
                        campaign.grid().size());
            case DrawnOrder order -> drawn(campaign, order, from, Math.min(enough, LOOKED_AT_ONCE));
        };
    }

    private Open drawn(StoredCampaign campaign, TrialOrder order, int from, int first) {
        int end = campaign.grid().size();
        int step = first;
        for (int at = from; at < end; ) {
            OrdinalRange looked = new OrdinalRange(at, Math.min(end, Math.addExact(at, step)));
            List<OrdinalRange> closed = order.positions(trials.closed(campaign.run(), order.ordinals(List.of(looked))));
            Open open = first(OrdinalRanges.subtract(List.of(looked), closed), looked.to());
            if (!open.positions().isEmpty()) {
                return open;
            }
            at = looked.to();
            step = LOOKED_AT_ONCE;
        }
        return new Open(List.of(), end);
    }

    private static Open first(List<OrdinalRange> open, int looked) {
        if (open.size() < MOST_RANGES) {
            return new Open(open, looked);
        }
        List<OrdinalRange> first = List.copyOf(open.subList(0, MOST_RANGES));
        return new Open(first, first.getLast().to());
    }
}
