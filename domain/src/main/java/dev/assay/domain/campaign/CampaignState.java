package dev.assay.domain.campaign;

/** The state of a campaign. None is a dead end: resume, re-run and extend work from each. */
public enum CampaignState {
    /** Stored; its workflow has not begun. */
    PENDING,
    /** Cells are being run. */
    RUNNING,
    /** Starts nothing new until it is resumed. */
    PAUSED,
    /** No cell is open; the verdict stands. */
    COMPLETED,
    /** Ended by a user. */
    CANCELLED,
    /** Could not go on; the reason is stored. */
    FAILED;

    /** Whether the campaign should have a workflow that works on it. */
    public boolean goesOn() {
        return this == PENDING || this == RUNNING;
    }

    /** Whether the campaign's workflow has nothing more to do unless a user asks. */
    public boolean ended() {
        return this == COMPLETED || this == CANCELLED || this == FAILED;
    }
}
