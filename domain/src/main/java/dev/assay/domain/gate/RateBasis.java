package dev.assay.domain.gate;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The basis of a rate's interval. The names are those of its JSON. All are null in a rate that was stored before the basis was, and
 * in one without a denominator.
 *
 * @param cases the number of cases in the rate; null: it is not one over cases
 * @param errors trials that ended in an error: they are among those that did not pass; null: it is not a rate of trials
 * @param level how often such intervals cover the true rate at least, 0–1
 * @param why what makes the interval say little; null: nothing
 */
public record RateBasis(
        @Nullable Integer cases,
        @Nullable Integer errors,
        @Nullable Double level,
        @Nullable Method method,
        @Nullable Why why) {

    static final RateBasis NONE = new RateBasis(null, null, null, null, null);

    /** The method that found an interval. */
    public enum Method {
        /** Clopper and Pearson's exact interval, with the effective size of trials that belong to cases. */
        @JsonProperty("korn-graubard")
        KORN_GRAUBARD,
        /** Clopper and Pearson's exact interval of independent observations. */
        @JsonProperty("clopper-pearson")
        CLOPPER_PEARSON,
        /** Student's t interval, of scores. */
        @JsonProperty("student-t")
        STUDENT_T
    }

    /** The reason why an interval says little. */
    public enum Why {
        /** One case tells next to nothing of other cases. */
        ONE_CASE,
        /** One group of related cases tells next to nothing of other groups. */
        ONE_GROUP
    }
}
