package dev.assay.domain.statistics.judging;

import dev.assay.domain.statistics.ClopperPearson;
import dev.assay.domain.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * The counts of trials by what a judge and what people say of them.
 *
 * @param bothPass both say that it passes
 * @param onlyPersonPasses the judge fails what people pass
 * @param onlyJudgePasses the judge passes what people fail
 * @param bothFail both say that it fails
 */
public record Confusion(int bothPass, int onlyPersonPasses, int onlyJudgePasses, int bothFail) {

    /**
     * A share with its interval at 95 %, {@link ClopperPearson}.
     *
     * @param successes the numerator of the share
     * @param value 0–1; null when the denominator is 0
     * @param interval null as {@code value}
     */
    public record Share(
            int successes,
            int denominator,
            @Nullable Double value,
            @Nullable Interval interval) {

        static Share of(int successes, int denominator) {
            if (denominator == 0) {
                return new Share(successes, 0, null, null);
            }
            double value = (double) successes / denominator;
            return new Share(successes, denominator, value, ClopperPearson.of(value, denominator));
        }
    }

    /** Of what people pass, the share that the judge passes. */
    public Share sensitivity() {
        return Share.of(bothPass, bothPass + onlyPersonPasses);
    }

    /** Of what people fail, the share that the judge fails. */
    public Share specificity() {
        return Share.of(bothFail, bothFail + onlyJudgePasses);
    }

    /** The share of which both say the same. */
    public Share agreement() {
        return Share.of(bothPass + bothFail, labels());
    }

    /** Cohen's kappa (1960): agreement beyond chance; null without labels, or when chance alone gives full agreement. */
    public @Nullable Double kappa() {
        double labels = labels();
        double personPasses = bothPass + onlyPersonPasses;
        double judgePasses = bothPass + onlyJudgePasses;
        double chance =
                (personPasses * judgePasses + (labels - personPasses) * (labels - judgePasses)) / (labels * labels);
        return labels == 0 || chance == 1 ? null : ((bothPass + bothFail) / labels - chance) / (1 - chance);
    }

    /** The judge's pass rate minus the people's, −1 … 1; null without labels. */
    public @Nullable Double bias() {
        return labels() == 0 ? null : (double) (onlyJudgePasses - onlyPersonPasses) / labels();
    }

    /** The number of trials that both judged. */
    public int labels() {
        return bothPass + onlyPersonPasses + onlyJudgePasses + bothFail;
    }
}
