package dev.assay.domain.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a branch wants to be asked.
 *
 * @param deadline when its answers must be there, from the first start of the campaign; null: there is no deadline, or AUTO's own
 */
public record DeliveryWish(Delivery way, @Nullable Duration deadline) {

    /** Live, as branches that say nothing. */
    public static final DeliveryWish LIVE = new DeliveryWish(Delivery.LIVE, null);

    /** The shortest deadline. */
    public static final Duration SHORTEST = Duration.ofMinutes(10);

    /** The longest deadline. */
    public static final Duration LONGEST = Duration.ofHours(168);

    /** The deadline of AUTO where none is written. */
    public static final Duration USUAL = Duration.ofHours(24);

    /** Whether requests may be in batches. */
    public boolean mayBeOut() {
        return way != Delivery.LIVE;
    }

    /** The deadline that holds; null: there is none. */
    public @Nullable Duration heldDeadline() {
        return deadline == null && way == Delivery.AUTO ? USUAL : deadline;
    }
}
