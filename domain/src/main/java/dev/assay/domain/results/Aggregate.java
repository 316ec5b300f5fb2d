package dev.assay.domain.results;

import org.jspecify.annotations.Nullable;

/**
 * A number that a tool says of a branch.
 *
 * @param metric its name
 * @param branch id of the branch
 * @param theirs as the tool says it; null: it says none
 * @param of what it counts
 * @param check the metric whose values it is the mean of; null: it is no mean
 * @param tag the tag of the cases that it counts; null: all
 */
public record Aggregate(
        String metric,
        String branch,
        @Nullable Double theirs,
        Of of,
        @Nullable String check,
        @Nullable String tag) {

    /** What an aggregate counts. Users write the constant in lower case. */
    public enum Of {
        /** Outcomes that passed. */
        PASSED,
        /** Outcomes that failed and are no errors. */
        FAILED,
        /** Errors. */
        ERRORS,
        /** The sum of the scores of the outcomes. */
        SCORE,
        /** The mean over cases of the mean over trials of a check's finite values. */
        MEAN,
        /** Something that is kept and not compared. */
        OTHER
    }
}
