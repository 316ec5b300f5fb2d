package dev.assay.domain.label;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.TrialRate;
import dev.assay.domain.statistics.judging.Confusion;
import dev.assay.domain.statistics.judging.PredictionPowered;
import dev.assay.domain.statistics.judging.RoganGladen;
import org.jspecify.annotations.Nullable;

/**
 * A pass rate as people's labels correct it. A gate never uses it.
 *
 * @param value 0–1; null where {@code why} says the reason
 * @param low lower end of its 95 % interval
 * @param high its upper end
 * @param lambda how far the evaluator is believed, 0–1; null: the method knows none
 * @param why why there is no rate; null: there is one
 */
public record CorrectedRate(
        Method method,
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double lambda,
        @Nullable Why why) {

    /** How a rate is corrected. */
    public enum Method {
        /** {@link PredictionPowered}: labels of a random sample of the same campaign. */
        @JsonProperty("ppi")
        PPI,
        /** {@link RoganGladen}: labels of another campaign with the same evaluator. */
        @JsonProperty("rogan-gladen")
        ROGAN_GLADEN
    }

    /** Why a rate cannot be corrected. */
    public enum Why {
        /** No answer has both a label and a verdict. */
        NO_LABELS,
        /** The labels are not those of a random sample of these answers: people label what catches their eye. */
        NOT_SAMPLED,
        /** The labels are of fewer than two cases. */
        ONE_CASE,
        /** Verdicts of several evaluators stand side by side. */
        MIXED_EVALUATORS,
        /** People say only pass, or only fail. */
        ONE_CLASS,
        /** The evaluator agrees with people no more often than chance would. */
        NO_BETTER_THAN_CHANCE
    }

    /** No rate, and the reason. */
    public static CorrectedRate none(Method method, Why why) {
        return new CorrectedRate(method, null, null, null, null, why);
    }

    static CorrectedRate of(PredictionPowered mean) {
        Interval interval = mean.interval();
        return interval == null
                ? none(Method.PPI, Why.ONE_CASE)
                : new CorrectedRate(Method.PPI, mean.value(), interval.low(), interval.high(), mean.lambda(), null);
    }

    /**
     * The rate of a campaign by labels of another one under the same evaluator.
     *
     * @param rate as the evaluator says
     * @param labelled people first, the evaluator second
     */
    public static CorrectedRate transferred(TrialRate rate, Confusion labelled, double level) {
        Double value = rate.value();
        Double effective = rate.effective();
        if (value == null || effective == null || labelled.trials() == 0) {
            return none(Method.ROGAN_GLADEN, Why.NO_LABELS);
        }
        int passes = labelled.bothPass() + labelled.onlyFirst();
        int fails = labelled.onlySecond() + labelled.bothFail();
        if (passes == 0 || fails == 0) {
            return none(Method.ROGAN_GLADEN, Why.ONE_CLASS);
        }
        RoganGladen corrected = RoganGladen.of(
                value,
                effective,
                new RoganGladen.Labels(labelled.bothFail(), fails, labelled.bothPass(), passes),
                level);
        return corrected == null
                ? none(Method.ROGAN_GLADEN, Why.NO_BETTER_THAN_CHANCE)
                : new CorrectedRate(
                        Method.ROGAN_GLADEN,
                        corrected.value(),
                        corrected.interval().low(),
                        corrected.interval().high(),
                        null,
                        null);
    }
}
