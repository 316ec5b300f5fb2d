package dev.assay.web.label;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.label.CalibrationTally.Calibrated;
import dev.assay.domain.label.CorrectedRate;
import dev.assay.domain.label.JudgeQuality;
import dev.assay.domain.statistics.judging.Agreement;
import dev.assay.web.outcome.LabelView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far verdicts can be believed, as people's labels say.
 *
 * @param check the check whose verdicts these are; null: whether trials pass
 * @param evaluators what decided, those of most answers first
 * @param labels the labels that count here
 * @param people how far people agree with each other
 * @param warnings what else readers should know, as sentences
 */
record CalibrationView(
        String campaign,
        @Nullable String check,
        List<EvaluatorCells> evaluators,
        LabelCounts labels,
        List<BranchCalibration> branches,
        People people,
        @JsonUnwrapped Disagreements disagreements,
        List<String> warnings) {

    CalibrationView {
        evaluators = List.copyOf(evaluators);
        branches = List.copyOf(branches);
        warnings = List.copyOf(warnings);
    }

    /**
     * An evaluator.
     *
     * @param evaluator its hash; of several checks together the hash of theirs; null: a build decided that noted none
     * @param cells the answers that it decided
     */
    record EvaluatorCells(@Nullable String evaluator, long cells) {}

    /**
     * The labels that count.
     *
     * @param draws answers that have one
     * @param cases their cases
     * @param labellers the people
     * @param sampled answers of these that a sample asked about
     * @param sample the sample whose labels count alone; null: all labels do
     */
    record LabelCounts(
            int draws,
            int cases,
            int labellers,
            int sampled,
            @Nullable String sample) {}

    /**
     * One branch.
     *
     * @param labelled trials of which both people and the evaluator say something
     * @param unsure trials of which people say as often pass as fail, or are unsure
     * @param unscored trials with labels and without a verdict
     * @param raw the rate as the evaluator says
     * @param corrected the rate as labels correct it
     */
    record BranchCalibration(
            String branchId,
            int labelled,
            int unsure,
            int unscored,
            @JsonUnwrapped JudgeQuality quality,
            Proportion raw,
            CorrectedRate corrected) {

        static BranchCalibration of(String branchId, Calibrated calibrated, Proportion raw, CorrectedRate corrected) {
            return new BranchCalibration(
                    branchId,
                    calibrated.labelled(),
                    calibrated.unsure(),
                    calibrated.unscored(),
                    calibrated.quality(),
                    raw,
                    corrected);
        }
    }

    /**
     * How far people agree.
     *
     * @param alpha Krippendorff's alpha of pass and fail; null where it is not defined
     * @param draws answers with labels of two or more
     */
    record People(
            @Nullable Double alpha,
            @Nullable Double low,
            @Nullable Double high,
            int draws) {

        static People of(Agreement agreement) {
            return new People(agreement.alpha(), agreement.low(), agreement.high(), agreement.units());
        }
    }

    /**
     * A page of disagreements, those that the evaluator passed first.
     *
     * @param nextPageToken asks for those that follow; null: there are none
     */
    record Disagreements(
            List<Disagreement> disagreements, @Nullable String nextPageToken) {

        Disagreements {
            disagreements = List.copyOf(disagreements);
        }
    }

    /**
     * A trial of which people and the evaluator say the contrary.
     *
     * @param verdict whether the evaluator passed it
     * @param people whether people do
     * @param reason of the check that decided; null: none says why
     */
    record Disagreement(
            String caseId,
            String branchId,
            int trial,
            boolean verdict,
            boolean people,
            List<LabelView> labels,
            @Nullable String reason) {

        Disagreement {
            labels = List.copyOf(labels);
        }
    }
}
