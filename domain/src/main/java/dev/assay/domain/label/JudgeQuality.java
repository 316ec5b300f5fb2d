package dev.assay.domain.label;

import dev.assay.domain.statistics.judging.Kappa;
import dev.assay.domain.statistics.judging.PairedVerdicts;
import dev.assay.domain.statistics.judging.Share;
import org.jspecify.annotations.Nullable;

/**
 * How far an evaluator agrees with people.
 *
 * @param agreement the share of trials of which both say the same
 * @param sensitivity of what people pass, the share that the evaluator passes
 * @param specificity of what people fail, the share that the evaluator fails
 * @param kappa agreement beyond chance
 * @param bias the evaluator's pass rate minus the people's, −1 … 1; null without labels
 */
public record JudgeQuality(
        Counts confusion,
        Share agreement,
        Share sensitivity,
        Share specificity,
        Kappa kappa,
        @Nullable Double bias) {

    /**
     * The counts of trials by what people and the evaluator say.
     *
     * @param onlyPerson the evaluator fails what people pass
     * @param onlyJudge the evaluator passes what people fail
     */
    public record Counts(int bothPass, int onlyPerson, int onlyJudge, int bothFail) {}

    /** The quality by verdicts of people first and the evaluator second. */
    static JudgeQuality of(PairedVerdicts verdicts, double level) {
        var counts = verdicts.counts();
        return new JudgeQuality(
                new Counts(counts.bothPass(), counts.onlyFirst(), counts.onlySecond(), counts.bothFail()),
                verdicts.agreement(level),
                verdicts.sensitivity(level),
                verdicts.specificity(level),
                verdicts.kappa(level),
                counts.bias());
    }
}
