package dev.assay.domain.steering;

import static dev.assay.domain.campaign.CampaignState.CANCELLED;
import static dev.assay.domain.campaign.CampaignState.COMPLETED;
import static dev.assay.domain.campaign.CampaignState.FAILED;
import static dev.assay.domain.campaign.CampaignState.PAUSED;
import static dev.assay.domain.campaign.CampaignState.PENDING;
import static dev.assay.domain.campaign.CampaignState.RUNNING;

import dev.assay.domain.campaign.CampaignState;
import java.util.Set;

/** An idempotent command of a user to a campaign as a whole (docs/steering.md). */
public enum SteeringVerb {
    /** Starts nothing new; calls in flight finish. */
    PAUSE("paused", PAUSED, false),
    /** Goes on with every cell that is open. */
    RESUME("resumed", RUNNING, true),
    /** Ends; calls in flight are aborted. */
    CANCEL("cancelled", CANCELLED, true);

    private final String participle;
    private final CampaignState to;
    private final boolean raisesEpoch;

    SteeringVerb(String participle, CampaignState to, boolean raisesEpoch) {
        this.participle = participle;
        this.to = to;
        this.raisesEpoch = raisesEpoch;
    }

    /** As in "cannot be paused". */
    public String participle() {
        return participle;
    }

    /** The state of a campaign that it changed. */
    public CampaignState to() {
        return to;
    }

    /** Whether work in progress becomes stale when it changes a state. */
    public boolean raisesEpoch() {
        return raisesEpoch;
    }

    /** The states that it changes. */
    public Set<CampaignState> from() {
        return switch (this) {
            case PAUSE -> Set.of(PENDING, RUNNING);
            case RESUME -> Set.of(PAUSED, COMPLETED, CANCELLED, FAILED);
            case CANCEL -> Set.of(PENDING, RUNNING, PAUSED);
        };
    }

    /** The states in which nothing is left to do. A state that is neither here nor in {@link #from} refuses the verb. */
    public Set<CampaignState> content() {
        return switch (this) {
            case PAUSE -> Set.of(PAUSED);
            case RESUME -> Set.of(PENDING, RUNNING);
            case CANCEL -> Set.of(CANCELLED);
        };
    }

    /**
     * Whether the verb changes nothing, since nothing is left to do: also for a COMPLETED campaign without a trial to resume.
     *
     * @param hasSkipped whether trials of a COMPLETED campaign are open, since the budget did not cover them
     */
    public boolean isContentWith(CampaignState state, boolean hasSkipped) {
        return content().contains(state) || (this == RESUME && state == COMPLETED && !hasSkipped);
    }
}
