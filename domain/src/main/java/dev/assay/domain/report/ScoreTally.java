package dev.assay.domain.report;

import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.CaseScores;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The scores of one branch's trials. Holds nothing where no reducer asks for them. */
final class ScoreTally {

    private final TrialGrid grid;
    private final List<Reducer> reducers;
    private final BitSet scorable = new BitSet();
    private final BitSet scored = new BitSet();
    private final BitSet disputed = new BitSet();
    private final double[] scores;

    ScoreTally(TrialGrid grid, List<Reducer> reducers) {
        this.grid = grid;
        this.reducers = reducers;
        this.scores = new double[reducers.isEmpty() ? 0 : grid.size()];
    }

    /** Marks a trial as known: its score counts. */
    void allow(int ordinal) {
        scorable.set(ordinal);
    }

    /** Adds a score, 0–1; without effect where nothing is known of the trial. */
    void add(int ordinal, double score) {
        if (scores.length > 0 && scorable.get(ordinal)) {
            scores[ordinal] = score;
            scored.set(ordinal);
        }
    }

    /** Marks a trial whose draws disagree: bounds take its score as unknown. */
    void dispute(int ordinal) {
        disputed.set(ordinal);
    }

    /** The scores of which points are made. */
    List<CaseScores> points(List<CaseCounts> counts) {
        return of(counts, scored);
    }

    /** The scores of which the ends of intervals are made. */
    List<CaseScores> bounds(List<CaseCounts> bounds) {
        BitSet undisputed = (BitSet) scored.clone();
        undisputed.andNot(disputed);
        return of(bounds, undisputed);
    }

    private List<CaseScores> of(List<CaseCounts> counts, BitSet counted) {
        return reducers.isEmpty()
                ? List.of()
                : IntStream.range(0, grid.cases())
                        .mapToObj(i -> new CaseScores(counts.get(i), ofCase(i, counted)))
                        .toList();
    }

    private List<Double> ofCase(int caseIndex, BitSet counted) {
        return IntStream.rangeClosed(1, grid.trials())
                .map(trial -> grid.ordinal(caseIndex, trial))
                .filter(counted::get)
                .mapToObj(ordinal -> scores[ordinal])
                .toList();
    }

    /** The number of each reducer for a case's scores. */
    Map<String, @Nullable Double> reduced(CaseScores one) {
        Map<String, @Nullable Double> reduced = new LinkedHashMap<>();
        reducers.forEach(reducer -> reduced.put(reducer.name(), reducer.of(one)));
        return reduced;
    }

    /** The rate of each reducer over all cases. */
    Map<String, ReducerRate> rates(List<CaseScores> cases, List<CaseScores> bounds) {
        Map<String, ReducerRate> rates = new LinkedHashMap<>();
        reducers.forEach(reducer -> rates.put(reducer.name(), ReducerRate.of(reducer, cases, bounds, grid.trials())));
        return rates;
    }
}
