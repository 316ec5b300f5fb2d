package dev.assay.domain.outcome;

/** The status of a cell at its end. */
public enum OutcomeStatus {
    /** The agent finished. */
    COMPLETED(true),
    /** A limit of the branch ended the loop; what it wrote is kept and judged when it has a text. */
    LIMIT(true),
    /** The provider refused, or the last attempt failed. */
    MODEL_ERROR(true),
    /** The cell's time ran out. */
    TIMED_OUT(true),
    /** The campaign was cancelled while the cell ran; open again in the campaign's next epoch. */
    CANCELLED(false),
    /** The budget did not cover the call; open again in the campaign's next epoch. */
    BUDGET_SKIPPED(false),
    /** The verdict could not change any more, or was sure: no request was sent. Open again in the campaign's next epoch. */
    NOT_NEEDED(false);

    private final boolean isFinal;

    OutcomeStatus(boolean isFinal) {
        this.isFinal = isFinal;
    }

    /** Whether the cell is done for good; a cell that is not is open again after a resume, a re-run or a raised budget. */
    public boolean isFinal() {
        return isFinal;
    }

    /** Whether the cell is done and has an answer. */
    public boolean isAnswer() {
        return this == COMPLETED || this == LIMIT;
    }

    /** Whether the cell is done and has no answer. */
    public boolean isFailure() {
        return this == MODEL_ERROR || this == TIMED_OUT;
    }
}
