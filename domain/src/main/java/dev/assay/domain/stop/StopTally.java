package dev.assay.domain.stop;

import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.SettledBranch;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.statistics.CaseCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Counts the cells of a campaign that are done, and finds the others that are still needed. It gives the same answer for the same
 * cells in any order. Not safe for use by several threads.
 */
public final class StopTally {

    private final TrialGrid grid;
    private final GatePolicy gate;
    private final List<String> branchIds;
    private final List<BranchCells> branches = new ArrayList<>();

    /**
     * Nothing is done yet.
     *
     * @param stopping not never
     * @param gate has a rule where {@code stopping} is sure
     */
    public StopTally(Stopping stopping, TrialGrid grid, GatePolicy gate, List<String> branchIds) {
        this.grid = grid;
        this.gate = gate;
        this.branchIds = List.copyOf(branchIds);
        int gated =
                gate.branches().isEmpty() ? branchIds.size() : gate.branches().size();
        for (int i = 0; i < branchIds.size(); i++) {
            branches.add(
                    switch (stopping.rule()) {
                        case NONE -> throw new IllegalArgumentException("A campaign that never stops needs no tally");
                        case SETTLED -> new CountedCases(grid);
                        case SURE ->
                            new CountedRounds(
                                    new SureLooks(grid, stopping, Objects.requireNonNull(gate.rule()), gated), grid);
                    });
        }
    }

    /** Counts a cell that is done. */
    public void add(int ordinal, int branchIndex, TrialVerdict verdict) {
        branches.get(branchIndex).count(grid, ordinal, gate.demands().errors().seen(verdict), 1);
    }

    /** Takes back a cell that was counted. */
    public void remove(int ordinal, int branchIndex, TrialVerdict verdict) {
        branches.get(branchIndex).count(grid, ordinal, gate.demands().errors().seen(verdict), -1);
    }

    /** The cells that are still needed. */
    public NeededCells needed() {
        List<Verdict> gated = new ArrayList<>();
        List<BitSet> needed = new ArrayList<>();
        for (int i = 0; i < branches.size(); i++) {
            Look look = branches.get(i).look(gate);
            needed.add(look.needed());
            if (gate.branches().isEmpty() || gate.branches().contains(branchIds.get(i))) {
                gated.add(look.verdict());
            }
        }
        boolean fixed = Verdict.ofAll(gated) != Verdict.INCONCLUSIVE;
        return new NeededCells(fixed ? branches.stream().map(_ -> new BitSet()).toList() : needed);
    }

    private static BitSet all(int cases) {
        BitSet all = new BitSet(cases);
        all.set(0, cases);
        return all;
    }

    /** The fixed result of one branch: its verdict, else INCONCLUSIVE, and the cases that are still needed. */
    private record Look(Verdict verdict, BitSet needed) {}

    private sealed interface BranchCells {

        void count(TrialGrid grid, int ordinal, TrialVerdict verdict, int by);

        Look look(GatePolicy gate);
    }

    private static final class CountedCases implements BranchCells {

        private final int trials;
        private final int[] passed;
        private final int[] unknown;

        CountedCases(TrialGrid grid) {
            this.trials = grid.trials();
            this.passed = new int[grid.cases()];
            this.unknown = new int[grid.cases()];
            Arrays.fill(unknown, trials);
        }

        @Override
        public void count(TrialGrid grid, int ordinal, TrialVerdict verdict, int by) {
            int caseIndex = grid.caseIndex(ordinal);
            passed[caseIndex] += verdict == TrialVerdict.PASSED ? by : 0;
            unknown[caseIndex] -= verdict == TrialVerdict.NO_EVIDENCE ? 0 : by;
        }

        @Override
        public Look look(GatePolicy gate) {
            List<CaseCounts> counts = IntStream.range(0, passed.length)
                    .mapToObj(i -> new CaseCounts(passed[i], unknown[i], trials))
                    .toList();
            SettledBranch settled = SettledBranch.of(counts, gate.passThreshold(), gate.effectiveSuiteThreshold());
            BitSet needed = new BitSet(passed.length);
            settled.open().forEach(needed::set);
            return new Look(settled.verdict(), needed);
        }
    }

    private record CountedRounds(SureLooks looks, int cases) implements BranchCells {

        CountedRounds(SureLooks looks, TrialGrid grid) {
            this(looks, grid.cases());
        }

        @Override
        public void count(TrialGrid grid, int ordinal, TrialVerdict verdict, int by) {
            if (by > 0) {
                looks.add(grid.trial(ordinal), verdict);
            } else {
                looks.remove(grid.trial(ordinal), verdict);
            }
        }

        @Override
        public Look look(GatePolicy gate) {
            SureLooks.Sure sure = looks.decided();
            return sure == null ? new Look(Verdict.INCONCLUSIVE, all(cases)) : new Look(sure.verdict(), new BitSet());
        }
    }
}
