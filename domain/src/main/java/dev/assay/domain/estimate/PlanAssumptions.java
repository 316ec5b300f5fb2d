package dev.assay.domain.estimate;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.statistics.forecast.PrecisionForecast;
import org.jspecify.annotations.Nullable;

/**
 * The assumptions of a plan. The names are those of its JSON.
 *
 * @param rate the pass rate of trials, 0–1
 * @param icc share of the variance that lies between cases, 0–1
 * @param correlation of the case rates of two that are compared, −1 … 1
 * @param difference that a comparison should find, not 0, −1 … 1
 * @param power how often it should find it, above 0 and below 1
 * @param measuredIn the campaign in which the rate was measured; null: it was given, or is a guess
 * @param why why the campaign that was named says nothing of the rate; null: it does, or none was named, or the rate was given
 */
public record PlanAssumptions(
        double rate,
        double icc,
        double correlation,
        double difference,
        double power,
        @Nullable String measuredIn,
        @Nullable NoRate why) {

    private static final double RATE = 0.8;
    private static final double ICC = 0.5;
    private static final double CORRELATION = 0.5;
    private static final double DIFFERENCE = -0.05;

    /** The assumptions that a user gave, with null for the others. */
    public record Given(
            @Nullable Double rate,
            @Nullable Double icc,
            @Nullable Double correlation,
            @Nullable Double difference,
            @Nullable Double power) {

        /** Nothing was given. */
        public static final Given NOTHING = new Given(null, null, null, null, null);
    }

    /**
     * The given assumptions, else the measured ones, else guesses.
     *
     * @throws AssayException INVALID_INPUT when something given is out of its range
     */
    public static PlanAssumptions of(Given given, RecordedRuns recorded) {
        RecordedRate measured = recorded.rate();
        double difference = or(given.difference, DIFFERENCE);
        if (difference == 0) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "difference must not be 0: no number of cases finds it");
        }
        Double icc = measured == null ? null : measured.icc();
        return new PlanAssumptions(
                within("rate", or(given.rate, measured == null ? RATE : measured.rate()), 0, 1),
                within("icc", or(given.icc, icc == null ? ICC : icc), 0, 1),
                within("correlation", or(given.correlation, CORRELATION), -1, 1),
                within("difference", difference, -1, 1),
                within("power", or(given.power, PrecisionForecast.POWER), 0.01, 0.99),
                given.rate != null || measured == null ? null : measured.campaignId(),
                given.rate == null ? recorded.why() : null);
    }

    /** Whether a gain is to be found; else a loss. */
    boolean isGain() {
        return difference > 0;
    }

    private static double or(@Nullable Double given, double other) {
        return given == null ? other : given;
    }

    private static double within(String name, double value, double low, double high) {
        if (!(value >= low && value <= high)) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    name + " must be a number from " + low + " to " + high + ", but is " + value);
        }
        return value;
    }
}
