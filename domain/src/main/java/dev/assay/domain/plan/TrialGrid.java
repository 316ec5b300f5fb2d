package dev.assay.domain.plan;

/**
 * Numbers the trials of a campaign, so that a run of trials is a range of integers.
 *
 * <p>Trials are numbered trial by trial: first trial 1 of every case, then trial 2 of every case. Every case therefore has
 * a result early, and adding trials to a campaign leaves all earlier numbers as they are.
 *
 * @param cases number of cases, at least 1
 * @param trials repetitions of each case, at least 1
 */
public record TrialGrid(int cases, int trials) {

    public TrialGrid {
        if (cases < 1 || trials < 1) {
            throw new IllegalArgumentException("A campaign has at least one case and one trial");
        }
    }

    /** The number of trials of the whole campaign. */
    public int size() {
        return Math.multiplyExact(cases, trials);
    }

    /** The number of trial {@code trial} (1-based) of case {@code caseIndex} (0-based). */
    public int ordinal(int caseIndex, int trial) {
        return (trial - 1) * cases + caseIndex;
    }

    /** The 0-based case of trial number {@code ordinal}. */
    public int caseIndex(int ordinal) {
        return ordinal % cases;
    }

    /** The repetition of trial number {@code ordinal}, 1-based. */
    public int trial(int ordinal) {
        return ordinal / cases + 1;
    }
}
