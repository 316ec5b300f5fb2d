package dev.assay.domain.label;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.label.CorrectedRate.Method;
import dev.assay.domain.label.CorrectedRate.Why;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.TrialRate;
import dev.assay.domain.statistics.judging.Confusion;
import dev.assay.domain.statistics.judging.PairedVerdicts;
import dev.assay.domain.statistics.judging.PredictionPowered;
import dev.assay.domain.statistics.judging.PredictionPowered.Judged;
import dev.assay.domain.statistics.judging.PredictionPowered.Labelled;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Sets the verdicts of one evaluator on the answers of one branch beside what people say. Not safe for use by several threads. */
public final class CalibrationTally {

    private final PairedVerdicts compared = new PairedVerdicts();
    private final List<Labelled> labelled = new ArrayList<>();
    private final List<Judged> rest = new ArrayList<>();
    private final Map<Integer, int[]> byCase = new HashMap<>();
    private int unsure;
    private int unscored;

    /**
     * The result.
     *
     * @param labelled trials of which both people and the evaluator say something
     * @param unsure trials of which people say as often pass as fail, or are unsure
     * @param unscored trials with labels on which the evaluator has no verdict
     */
    public record Calibrated(
            int labelled,
            int unsure,
            int unscored,
            @JsonUnwrapped JudgeQuality quality,
            CorrectedRate corrected) {}

    /**
     * Adds an answer.
     *
     * @param verdict of the evaluator; null: none
     * @param labels in force, one for each person; empty: none
     */
    public void add(int caseIndex, @Nullable Boolean verdict, Collection<LabelValue> labels) {
        PeoplesVerdict people = PeoplesVerdict.of(labels);
        Boolean passes = people.passes();
        unsure += !labels.isEmpty() && passes == null ? 1 : 0;
        if (verdict == null) {
            unscored += labels.isEmpty() ? 0 : 1;
            return;
        }
        if (passes != null) {
            compared.add(caseIndex, passes, verdict);
        }
        double judged = verdict ? 1 : 0;
        int[] counts = byCase.computeIfAbsent(caseIndex, _ -> new int[2]);
        counts[0] += verdict ? 1 : 0;
        counts[1]++;
        Double value = people.value();
        if (value == null) {
            rest.add(new Judged(caseIndex, judged));
        } else {
            labelled.add(new Labelled(caseIndex, value, judged));
        }
    }

    /**
     * The pass rate as the evaluator says, of all cases of a campaign; a trial without a verdict is unknown.
     *
     * @param trials of each case
     */
    public TrialRate rate(int cases, int trials, double level) {
        int[] none = new int[2];
        return TrialRate.of(
                IntStream.range(0, cases)
                        .mapToObj(index -> byCase.getOrDefault(index, none))
                        .map(counts -> new CaseCounts(counts[0], trials - counts[1], trials))
                        .toList(),
                level);
    }

    /** {@link #rate} as a report says it. */
    public Proportion proportion(int cases, int trials, double level) {
        return Proportion.ofTrials(rate(cases, trials, level), 0);
    }

    /** The counts of what both say, people first. */
    public Confusion counts() {
        return compared.counts();
    }

    /**
     * What the labels say of the evaluator.
     *
     * @param obstacle why labels must not correct the rate, whatever they say; null: they may
     */
    public Calibrated calibrated(@Nullable Why obstacle, double level) {
        return new Calibrated(
                counts().trials(), unsure, unscored, JudgeQuality.of(compared, level), corrected(obstacle, level));
    }

    private CorrectedRate corrected(@Nullable Why obstacle, double level) {
        if (labelled.isEmpty()) {
            return CorrectedRate.none(Method.PPI, Why.NO_LABELS);
        }
        return obstacle == null
                ? CorrectedRate.of(PredictionPowered.of(labelled, rest, level))
                : CorrectedRate.none(Method.PPI, obstacle);
    }
}
