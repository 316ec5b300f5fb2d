package dev.assay.domain.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.assay.domain.statistics.forecast.Chance;
import dev.assay.domain.statistics.forecast.RerunChances;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts that a branch would get, run again. All are null where that is not known. The names are those of the report's JSON.
 *
 * @param rerunPass how probable it passes, 0–1
 * @param rerunLow {@code rerunPass} is below this with a probability of 5 %; null in older summaries
 * @param rerunHigh {@code rerunPass} is above this with a probability of 5 %; null in older summaries
 * @param rerunFail how probable it fails, 0–1; null in older summaries
 * @param rerunFailLow {@code rerunFail} is below this with a probability of 5 %; null in older summaries
 * @param rerunFailHigh {@code rerunFail} is above this with a probability of 5 %; null in older summaries
 */
public record RerunVerdicts(
        @Nullable Double rerunPass,
        @Nullable Double rerunLow,
        @Nullable Double rerunHigh,
        @Nullable Double rerunFail,
        @Nullable Double rerunFailLow,
        @Nullable Double rerunFailHigh) {

    static final RerunVerdicts UNKNOWN = new RerunVerdicts(null, null, null, null, null, null);

    static RerunVerdicts of(@Nullable RerunChances chances) {
        return chances == null ? UNKNOWN : of(chances.pass(), chances.fail());
    }

    static RerunVerdicts of(@Nullable Chance pass, @Nullable Chance fail) {
        return pass == null || fail == null
                ? UNKNOWN
                : new RerunVerdicts(pass.value(), pass.low(), pass.high(), fail.value(), fail.low(), fail.high());
    }

    /** The chances; null where they are not known. */
    @JsonIgnore
    @Nullable
    RerunChances chances() {
        if (rerunPass == null) {
            return null;
        }
        Chance pass = new Chance(
                rerunPass, rerunLow == null ? rerunPass : rerunLow, rerunHigh == null ? rerunPass : rerunHigh);
        double fail = rerunFail == null ? 1 - rerunPass : rerunFail;
        return new RerunChances(
                pass,
                new Chance(
                        fail,
                        rerunFailLow == null ? fail : rerunFailLow,
                        rerunFailHigh == null ? fail : rerunFailHigh));
    }
}
