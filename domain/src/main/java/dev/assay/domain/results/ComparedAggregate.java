package dev.assay.domain.results;

import org.jspecify.annotations.Nullable;

/**
 * What a tool says of a branch, beside what its lines come to. The names are those of its JSON.
 *
 * @param theirs as the tool says it; null: it says none
 * @param ours as its lines come to; null: that is not computed
 * @param cases that ours is made of; null as {@code ours}
 * @param equal whether both are the same to {@value #TOLERANCE}, relative above 1; null: one of them is not known
 */
public record ComparedAggregate(
        String metric,
        String branch,
        @Nullable Double theirs,
        @Nullable Double ours,
        @Nullable Integer cases,
        @Nullable Boolean equal) {

    private static final double TOLERANCE = 1e-9;

    static ComparedAggregate of(Aggregate aggregate, @Nullable Double ours, @Nullable Integer cases) {
        Double theirs = aggregate.theirs();
        Boolean equal = null;
        if (theirs != null && ours != null) {
            double tolerance = TOLERANCE * Math.max(1, Math.abs(theirs));
            equal = Math.abs(theirs - ours) <= tolerance;
        }
        return new ComparedAggregate(aggregate.metric(), aggregate.branch(), theirs, ours, cases, equal);
    }

    /** What a reader must know where both differ; null: they do not. */
    public @Nullable String warning() {
        return Boolean.FALSE.equals(equal)
                ? "The tool says " + theirs + " for `" + metric + "` of branch `" + branch + "`, and its lines come to "
                        + ours + "."
                : null;
    }
}
