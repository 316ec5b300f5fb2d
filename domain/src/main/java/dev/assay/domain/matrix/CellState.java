package dev.assay.domain.matrix;

import dev.assay.domain.outcome.OutcomeStatus;
import org.jspecify.annotations.Nullable;

/** The result of a cell, as the lowest three bits of its byte say it. Clients and the store know the codes. */
public enum CellState {
    /** It has no outcome. */
    OPEN(0),
    /** It was not asked: the verdict was settled or sure without it; open again in a later epoch. */
    NOT_NEEDED(1),
    /** It passed. */
    PASSED(2),
    /** It answered, and did not pass. */
    FAILED(3),
    /** It ended in MODEL_ERROR or TIMED_OUT. */
    ERRORED(4),
    /** The budget did not cover it; open again in a later epoch. */
    SKIPPED(5),
    /** It answered, and there is no evidence whether it passed. */
    NO_EVIDENCE(6),
    /** It was cancelled; open again in a later epoch. */
    CANCELLED(7);

    /** The bits of a cell's byte that are its state. */
    static final int BITS = 0b111;

    private static final int FINAL = bit(PASSED) | bit(FAILED) | bit(ERRORED) | bit(NO_EVIDENCE);

    private final int code;

    CellState(int code) {
        this.code = code;
    }

    /** The number that stands in the byte. */
    int code() {
        return code;
    }

    /** Whether a cell with this byte is in this state. */
    boolean is(int cell) {
        return (cell & BITS) == code;
    }

    private static int bit(CellState state) {
        return 1 << state.code;
    }

    /** Whether a cell with this byte has a final outcome. */
    static boolean isFinal(int cell) {
        return (FINAL >> (cell & BITS) & 1) != 0;
    }

    /**
     * The state of a cell with an outcome.
     *
     * @param passed whether the trial passes on this branch; null: no evidence
     */
    public static CellState of(OutcomeStatus status, @Nullable Boolean passed) {
        return switch (status) {
            case COMPLETED, LIMIT -> passed == null ? NO_EVIDENCE : passed ? PASSED : FAILED;
            case MODEL_ERROR, TIMED_OUT -> ERRORED;
            case BUDGET_SKIPPED -> SKIPPED;
            case CANCELLED -> CANCELLED;
            case NOT_NEEDED -> NOT_NEEDED;
        };
    }
}
