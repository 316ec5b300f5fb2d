package dev.assay.activities.delivery;

import dev.assay.activities.branch.DeliveredBranches;
import dev.assay.activities.call.DeliveredCell;
import dev.assay.activities.judging.DeliveredCalls;
import dev.assay.activities.judging.TextRoom;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.suite.CaseRepository;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The cells of batches with what they ask, as many at once as there is room for the texts that they read. */
@Singleton
class DeliveredCells {

    private final DeliveredBranches branches;
    private final DeliveredCalls calls;
    private final CaseRepository cases;
    private final OutcomeRepository outcomes;
    private final TextRoom room;

    DeliveredCells(
            DeliveredBranches branches,
            DeliveredCalls calls,
            CaseRepository cases,
            OutcomeRepository outcomes,
            TextRoom room) {
        this.branches = branches;
        this.calls = calls;
        this.cases = cases;
        this.outcomes = outcomes;
        this.room = room;
    }

    /**
     * An attempt at a cell.
     *
     * @param number from 1
     */
    record Attempt(CellKey cell, int number) {}

    /** The work on some of the cells. */
    @FunctionalInterface
    interface Work<E extends Exception> {

        /**
         * Works on some of them.
         *
         * @param cells those of {@code some}; one that its trial does not need is missing
         */
        void on(List<Attempt> some, Map<CellKey, DeliveredCell> cells) throws E, InterruptedException;
    }

    /**
     * Has {@code work} done on cells of one kind, in their order.
     *
     * @param epoch of the campaign in which they go or went out
     */
    <E extends Exception> void each(StoredCampaign campaign, int epoch, List<Attempt> attempts, Work<E> work)
            throws E, InterruptedException {
        if (attempts.isEmpty()) {
            return;
        }
        if (attempts.getFirst().cell().kind() == CellKind.BRANCH) {
            work.on(attempts, branches(campaign, epoch, attempts));
            return;
        }
        Set<Integer> ordinals = new LinkedHashSet<>();
        attempts.forEach(attempt -> ordinals.add(attempt.cell().ordinal()));
        for (TextRoom.Part part : room.parts(ordinals, outcomes.octets(campaign.id(), ordinals))) {
            Set<Integer> together = new HashSet<>(part.ordinals());
            try (TextRoom.Stay stay = room.enter(part.bytes(), () -> {})) {
                if (stay == null) {
                    throw new InterruptedException("The worker ends");
                }
                List<Attempt> some = attempts.stream()
                        .filter(attempt -> together.contains(attempt.cell().ordinal()))
                        .toList();
                work.on(
                        some,
                        calls.of(
                                campaign,
                                epoch,
                                some.stream().collect(Collectors.toMap(Attempt::cell, Attempt::number))));
            }
        }
    }

    private Map<CellKey, DeliveredCell> branches(StoredCampaign campaign, int epoch, List<Attempt> attempts) {
        TrialGrid grid = campaign.grid();
        Map<Integer, Case> byIndex = cases.find(
                campaign.suiteId(),
                attempts.stream()
                        .map(attempt -> grid.caseIndex(attempt.cell().ordinal()))
                        .collect(Collectors.toSet()));
        Map<CellKey, DeliveredCell> cells = new HashMap<>();
        attempts.forEach(attempt -> cells.put(
                attempt.cell(),
                branches.of(
                        campaign,
                        epoch,
                        attempt.cell(),
                        attempt.number(),
                        Objects.requireNonNull(
                                byIndex.get(grid.caseIndex(attempt.cell().ordinal()))))));
        return cells;
    }
}
