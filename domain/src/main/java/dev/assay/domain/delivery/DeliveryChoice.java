package dev.assay.domain.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The way that {@code delivery: auto} chose for a branch, or for judges or graders. The names are part of the API and never change.
 *
 * @param branch its id; of judges and graders {@code judge} or {@code grader}, and their model
 * @param delivery LIVE or BATCH
 * @param why the reason for LIVE; null with BATCH
 * @param at when it was chosen; the same choice made again is none
 */
public record DeliveryChoice(String branch, Delivery delivery, AutoDelivery.@Nullable Why why, Instant at) {

    /** For people, as in {@code small is asked live: too few cells for a batch}. */
    public String words() {
        return branch + " is asked " + (delivery == Delivery.BATCH ? "by batch" : "live") + ": "
                + new AutoDelivery(delivery, why).reason();
    }
}
