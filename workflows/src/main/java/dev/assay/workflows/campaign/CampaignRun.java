package dev.assay.workflows.campaign;

import dev.assay.domain.campaign.StoreMark;
import dev.assay.workflows.slice.Pace;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Input of {@link CampaignWorkflow}.
 *
 * @param epoch the campaign's epoch at the start
 * @param nextSlice number of the next slice; 0 at the start, carried over by continue-as-new
 * @param pace speed measured so far; at the start what is expected, which weighs as much as one cell, or {@link Pace#UNKNOWN}
 * @param visibility what the workflow shows in Temporal; PLAIN in inputs that are older than the field
 * @param seen the newest mark of the store that an earlier run had; null at the start
 */
public record CampaignRun(
        String campaignId,
        int epoch,
        int nextSlice,
        Pace pace,
        Visibility visibility,
        @Nullable StoreMark seen) {

    // Jackson gives null for a field that an input does not have.
    @SuppressWarnings("NullAway")
    public CampaignRun {
        visibility = Objects.requireNonNullElse(visibility, Visibility.PLAIN);
    }

    /** The first run of a campaign's workflow in {@code epoch}. */
    public static CampaignRun start(String campaignId, int epoch, Visibility visibility) {
        return start(campaignId, epoch, Pace.UNKNOWN, visibility);
    }

    /** The same for a campaign whose speed can be told before it is measured. */
    public static CampaignRun start(String campaignId, int epoch, Pace expected, Visibility visibility) {
        return new CampaignRun(campaignId, epoch, 0, expected, visibility, null);
    }
}
