package dev.assay.domain.matrix;

import dev.assay.domain.statistics.FlakyCases;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The result of a case's cells together. A list of results keeps the cases that have a pattern. */
public enum CasePattern {
    /** A trial did not pass: a check failed, or an error ended it. */
    FAILING,
    /** A branch passed a trial, and did not pass another. */
    FLAKY,
    /** One branch passed all its trials; another has some that did not pass, and none that did. */
    DISAGREEING,
    /** An error ended a trial. */
    ERRORED,
    /** A tie or a fallback decided a trial. */
    UNDECIDED;

    /** The word in requests and addresses of pages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The pattern of a word; null: there is none. */
    public static @Nullable CasePattern named(String word) {
        for (CasePattern pattern : values()) {
            if (pattern.word().equals(word)) {
                return pattern;
            }
        }
        return null;
    }

    /**
     * The positions of the cases that have it, ascending.
     *
     * @param branch index of the only branch that is looked at; null: all are
     */
    public IntStream positions(ResultMatrix matrix, @Nullable Integer branch) {
        return IntStream.range(0, matrix.cases()).filter(position -> fits(tally(matrix, position, branch)));
    }

    /**
     * The cells of a case.
     *
     * @param bad that did not pass
     * @param undecided that a tie or a fallback chose
     * @param flaky branches with cells that passed and cells that failed, as {@link FlakyCases} has it: errors are neither
     * @param none branches with cells that did not pass and none that passed
     */
    private record Tally(int bad, int errored, int undecided, int flaky, int all, int none) {

        static final Tally NOTHING = new Tally(0, 0, 0, 0, 0, 0);

        /** With the cells of one more branch. */
        Tally with(int trials, int passed, int failed, int errors, int leftOpen) {
            int notPassed = failed + errors;
            return new Tally(
                    bad + notPassed,
                    errored + errors,
                    undecided + leftOpen,
                    flaky + (FlakyCases.isFlaky(passed, failed) ? 1 : 0),
                    all + (passed == trials ? 1 : 0),
                    none + (notPassed > 0 && passed == 0 ? 1 : 0));
        }
    }

    private boolean fits(Tally tally) {
        return switch (this) {
            case FAILING -> tally.bad() > 0;
            case FLAKY -> tally.flaky() > 0;
            case DISAGREEING -> tally.all() > 0 && tally.none() > 0;
            case ERRORED -> tally.errored() > 0;
            case UNDECIDED -> tally.undecided() > 0;
        };
    }

    private static Tally tally(ResultMatrix matrix, int position, @Nullable Integer only) {
        int first = only == null ? 0 : only;
        int last = only == null ? matrix.branches() - 1 : only;
        Tally tally = Tally.NOTHING;
        for (int branch = first; branch <= last; branch++) {
            tally = withBranch(tally, matrix, position, branch);
        }
        return tally;
    }

    private static Tally withBranch(Tally tally, ResultMatrix matrix, int position, int branch) {
        int trials = matrix.trials();
        int passed = 0;
        int failed = 0;
        int errored = 0;
        int undecided = 0;
        for (int trial = 0; trial < trials; trial++) {
            int cell = matrix.cell(trial, position, branch);
            passed += CellState.PASSED.is(cell) ? 1 : 0;
            failed += CellState.FAILED.is(cell) ? 1 : 0;
            errored += CellState.ERRORED.is(cell) ? 1 : 0;
            undecided += (cell & (ResultMatrix.FALLBACK | ResultMatrix.TIED)) != 0 ? 1 : 0;
        }
        return tally.with(trials, passed, failed, errored, undecided);
    }
}
