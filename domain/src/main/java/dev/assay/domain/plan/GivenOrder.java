package dev.assay.domain.plan;

/** The order in which the campaign file lists its cases, in each round: each trial number is its own position. */
public record GivenOrder() implements TrialOrder {

    @Override
    public int ordinal(int position) {
        return position;
    }

    @Override
    public int position(int ordinal) {
        return ordinal;
    }
}
