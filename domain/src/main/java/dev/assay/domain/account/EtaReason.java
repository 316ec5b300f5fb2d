package dev.assay.domain.account;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.CampaignHealth.Status;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The reason why the end of a campaign is not known. The names are part of the API and never change. */
public enum EtaReason {
    /** Its workflow has not begun. */
    NOT_STARTED,
    /** It waits until it is resumed. */
    PAUSED,
    /** It has ended. */
    ENDED,
    /** No cell is open; winners are chosen. */
    NOTHING_OPEN,
    /** It does not go on without a person's action. */
    STALLED,
    /** Every open cell waits for a provider that does not answer, or has no key. */
    PROVIDER_AWAY,
    /** Too few cells were closed of late to know its speed. */
    TOO_FEW_DONE;

    /**
     * Why the end of a campaign cannot be known, whatever its speed is.
     *
     * @param open cells that are still to be asked
     * @param away of these, the ones that wait for a provider that is down or has no key
     * @return null: its speed says when it ends
     */
    public static @Nullable EtaReason of(CampaignState state, long open, long away, Status health) {
        return switch (state) {
            case PENDING -> NOT_STARTED;
            case PAUSED -> PAUSED;
            case COMPLETED, CANCELLED, FAILED -> ENDED;
            case RUNNING ->
                open <= 0 ? NOTHING_OPEN : health == Status.STALLED ? STALLED : away >= open ? PROVIDER_AWAY : null;
        };
    }

    /** For people, as in {@code too few done}. */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
