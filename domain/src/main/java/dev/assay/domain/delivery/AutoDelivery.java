package dev.assay.domain.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code delivery: auto} sends the open cells of one model.
 *
 * @param delivery LIVE or BATCH
 * @param why the reason for LIVE; null with BATCH
 */
public record AutoDelivery(Delivery delivery, @Nullable Why why) {

    /** How long a batch is taken to need while none of the model has ended. */
    private static final Duration UNKNOWN = Duration.ofHours(1);

    /** The least time before the deadline at which cells that are out are taken back. */
    private static final Duration LEAST_TIME = Duration.ofMinutes(10);

    /** Why cells go live. */
    public enum Why {
        /** Fewer cells are open than a batch is worth. */
        FEW("too few cells for a batch"),
        /** A batch might not come back before the deadline. */
        DEADLINE("the deadline is too near for a batch"),
        /** The provider takes no batches. */
        NO_BATCHES("the provider takes no batches");

        private final String words;

        Why(String words) {
            this.words = words;
        }

        /** The reason for people. */
        public String words() {
            return words;
        }

        /** The word that events say. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The reason for people. */
    public String reason() {
        return why == null ? "there are cells and time enough" : why.words();
    }

    /**
     * Live where fewer than {@code minimum} cells are open, or where the deadline is too near. It is too near below twice the time in
     * which nine of ten of the last batches ended.
     *
     * @param cells that are open
     * @param lastBatches how long the last batches of this provider and model took, in any order; empty: not known, an hour is taken
     */
    public static AutoDelivery choose(
            Instant now, Instant deadline, int cells, int minimum, List<Duration> lastBatches) {
        if (cells < minimum) {
            return new AutoDelivery(Delivery.LIVE, Why.FEW);
        }
        Duration left = Duration.between(now, deadline);
        return left.compareTo(usual(lastBatches).multipliedBy(2)) < 0
                ? new AutoDelivery(Delivery.LIVE, Why.DEADLINE)
                : new AutoDelivery(Delivery.BATCH, null);
    }

    private static Duration usual(List<Duration> lastBatches) {
        return lastBatches.isEmpty() ? UNKNOWN : within(lastBatches, 90);
    }

    /**
     * The time that half of some batches did not exceed.
     *
     * @param batches how long they took, in any order; at least one
     */
    public static Duration median(List<Duration> batches) {
        return within(batches, 50);
    }

    /** The smallest time that at least {@code percent} of them do not exceed. */
    private static Duration within(List<Duration> batches, int percent) {
        return batches.stream().sorted().toList().get(Math.ceilDiv(batches.size() * percent, 100) - 1);
    }

    /**
     * When cells that are out are taken back to be asked live. Before the deadline there is half as long again as their calls need, and
     * at least ten minutes.
     *
     * @param out cells that are out
     * @param liveCall mean time of a live call, counted in whole milliseconds
     * @param maxConcurrent calls at a time, at least 1
     */
    public static Instant leaves(Instant deadline, int out, Duration liveCall, int maxConcurrent) {
        long seconds = Math.ceilDiv(Math.multiplyExact(3L * out, liveCall.toMillis()), 2_000L * maxConcurrent);
        Duration needed = Duration.ofSeconds(seconds);
        return deadline.minus(needed.compareTo(LEAST_TIME) < 0 ? LEAST_TIME : needed);
    }
}
