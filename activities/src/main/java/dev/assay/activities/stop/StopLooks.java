package dev.assay.activities.stop;

import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.domain.plan.TrialOrder;
import dev.assay.domain.selection.Selector;
import dev.assay.domain.stop.StopRule;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evidence.DrawQueries;
import dev.assay.store.stop.StopRepository;
import dev.assay.store.trial.TrialRepository;
import dev.assay.store.trial.TrialRepository.SelectedTrial;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The looks at campaigns that stop early: closes the cells that are not needed any more. Caches its readings of the last few. */
@Singleton
public class StopLooks {

    /** A few counters for each case. */
    private static final int CAMPAIGNS = 64;

    /** Closing this many takes a second or two, for which a plan has time. */
    private static final int TRIALS_AT_ONCE = 10_000;

    private final StopRepository cells;
    private final DrawQueries draws;
    private final TrialRepository trials;
    private final WorkerIdentity worker;

    private final Map<String, StopLook> looks = new LinkedHashMap<>(CAMPAIGNS, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StopLook> eldest) {
            return size() > CAMPAIGNS;
        }
    };

    public StopLooks(StopRepository cells, DrawQueries draws, TrialRepository trials, WorkerIdentity worker) {
        this.cells = cells;
        this.draws = draws;
        this.trials = trials;
        this.worker = worker;
    }

    /** Closes the cells that are not needed and that no worker holds. */
    public void close(StoredCampaign campaign, int branchIndex, Collection<Integer> ordinals) {
        if (campaign.stopping().rule() == StopRule.NONE) {
            return;
        }
        List<Integer> needless = ordinals.stream()
                .filter(ordinal -> !isNeeded(campaign, branchIndex, ordinal))
                .toList();
        if (!needless.isEmpty()) {
            cells.close(campaign, branchIndex, needless);
        }
    }

    /**
     * Closes the first open trials as far as none of their cells is needed, done or held: they need no slice.
     *
     * @param open the positions of open trials in the campaign's order, ascending
     * @return the position where to go on planning: behind the trials that it closed, at the first open one when there are none
     */
    public int closeTrials(StoredCampaign campaign, List<OrdinalRange> open) {
        TrialOrder order = campaign.order();
        List<Integer> needless = campaign.stopping().rule() == StopRule.NONE
                ? List.of()
                : OrdinalRanges.ordinals(open)
                        .takeWhile(position -> isNeedless(campaign, order.ordinal(position)))
                        .limit(TRIALS_AT_ONCE)
                        .boxed()
                        .toList();
        Set<Integer> closed = needless.stream().map(order::ordinal).collect(Collectors.toCollection(TreeSet::new));
        for (int branch = 0; branch < campaign.definition().branches().size() && !closed.isEmpty(); branch++) {
            closed.retainAll(cells.close(campaign, branch, closed));
        }
        List<SelectedTrial> selected =
                closed.stream().map(ordinal -> notNeeded(campaign, ordinal)).toList();
        if (closed.isEmpty() || !trials.record(campaign, campaign.epoch(), worker.id(), selected)) {
            return open.isEmpty() ? 0 : open.getFirst().from();
        }
        return needless.stream()
                .filter(position -> !closed.contains(order.ordinal(position)))
                .findFirst()
                .orElseGet(() -> needless.getLast() + 1);
    }

    private boolean isNeedless(StoredCampaign campaign, int ordinal) {
        return IntStream.range(0, campaign.definition().branches().size())
                .noneMatch(branch -> isNeeded(campaign, branch, ordinal));
    }

    private static SelectedTrial notNeeded(StoredCampaign campaign, int ordinal) {
        return new SelectedTrial(
                ordinal,
                campaign.grid().caseIndex(ordinal),
                campaign.grid().trial(ordinal),
                false,
                false,
                true,
                Selector.notNeeded(campaign.definition().strategy()));
    }

    /** Whether a branch's answer in a trial can still matter. */
    public boolean isNeeded(StoredCampaign campaign, int branchIndex, int ordinal) {
        return campaign.stopping().rule() == StopRule.NONE
                || look(campaign).needed().contains(branchIndex, campaign.grid().caseIndex(ordinal));
    }

    private StopLook look(StoredCampaign campaign) {
        synchronized (looks) {
            StopLook known = looks.get(campaign.id());
            if (known != null && known.isOf(campaign)) {
                return known;
            }
            StopLook look = new StopLook(cells, draws, campaign);
            looks.put(campaign.id(), look);
            return look;
        }
    }
}
