package dev.assay.domain.estimate;

import dev.assay.domain.delivery.AutoDelivery;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.provider.BatchSettings;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a branch that may be asked in batches of its provider costs and takes either way, apart from retries. So may judges and graders
 * of one model, by their first calls. The names are those of its JSON.
 *
 * @param branch its id, {@code judges} or {@code graders}
 * @param calls of all its cells, at most
 * @param goes LIVE or BATCH: how it is asked as the file stands
 * @param why why {@code delivery: auto} asks live; null: it does not
 * @param liveUsd what its calls cost live, in US dollars; null: not known
 * @param batchUsd what they cost in batches; null: not known
 * @param savedUsd what batches save; null: not known
 * @param assumed whether the price of batches is taken to be half the live price, since none is configured
 * @param liveSeconds the least time that live calls take, by known limits and times; null: not known
 * @param batchSeconds the median time of the last batches of the model, for each wave of batches. Null: none has ended yet, and
 *     providers promise a day
 * @param lastBatches how many batches that comes from, 0 to 20
 */
public record PlannedDelivery(
        String branch,
        long calls,
        Delivery goes,
        AutoDelivery.@Nullable Why why,
        @Nullable BigDecimal liveUsd,
        @Nullable BigDecimal batchUsd,
        @Nullable BigDecimal savedUsd,
        boolean assumed,
        @Nullable Long liveSeconds,
        @Nullable Long batchSeconds,
        int lastBatches) {

    /**
     * The calls of a branch, of judges or of graders.
     *
     * @param earlier how long the last batches of its model took
     */
    record Calls(String branch, long calls, DeliveryWish wish, BatchSettings settings, List<Duration> earlier) {

        /**
         * @param liveUsd of one call; null: not known
         * @param batchUsd of one call in a batch; null: not known
         */
        PlannedDelivery planned(
                @Nullable BigDecimal liveUsd,
                @Nullable BigDecimal batchUsd,
                boolean assumed,
                @Nullable Long liveSeconds) {
            AutoDelivery choice = choice();
            BigDecimal live = times(liveUsd);
            BigDecimal batch = times(batchUsd);
            return new PlannedDelivery(
                    branch,
                    calls,
                    choice.delivery(),
                    choice.why(),
                    live,
                    batch,
                    live == null || batch == null ? null : live.subtract(batch),
                    assumed,
                    liveSeconds,
                    earlier.isEmpty()
                            ? null
                            : (Long) AutoDelivery.median(earlier)
                                    .multipliedBy(waves())
                                    .plusMillis(999)
                                    .toSeconds(),
                    earlier.size());
        }

        private @Nullable BigDecimal times(@Nullable BigDecimal usd) {
            return usd == null ? null : usd.multiply(BigDecimal.valueOf(calls)).stripTrailingZeros();
        }

        /** How often as many batches go out as may be out together. */
        private long waves() {
            return Math.ceilDiv(calls, (long) settings.maxLines() * settings.maxOut());
        }

        /** As if it were started now: only the time until the deadline counts. */
        private AutoDelivery choice() {
            return switch (wish.way()) {
                case LIVE, BATCH -> new AutoDelivery(wish.way(), null);
                case AUTO -> {
                    Duration held = wish.heldDeadline();
                    yield AutoDelivery.choose(
                            Instant.EPOCH,
                            held == null ? Instant.MAX : Instant.EPOCH.plus(held),
                            Math.clamp(calls, 0, Integer.MAX_VALUE),
                            settings.minimum(),
                            earlier);
                }
            };
        }
    }
}
