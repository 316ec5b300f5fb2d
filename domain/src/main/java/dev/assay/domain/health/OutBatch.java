package dev.assay.domain.health;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A batch of a provider in which cells of a campaign are out.
 *
 * @param cells that are out in it
 * @param done of these, the ones that the provider says it has finished
 * @param since when it was handed over; null: it was not yet
 * @param until when the provider gives up; null: not known
 * @param trouble the code of what went wrong with it last; null: nothing
 * @param words the same for people; null: nothing
 * @param usual the time in which half of the last batches of its model ended; null: none has ended yet
 * @param now by PostgreSQL's clock
 */
public record OutBatch(
        String id,
        String provider,
        long cells,
        long done,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable String trouble,
        @Nullable String words,
        @Nullable Duration usual,
        Instant now) {

    private static final Duration GRACE = Duration.ofHours(1);

    /** The trouble of a batch whose submission got no reply: the provider's list will say what became of it. */
    public static final String REPLY_LOST = "BATCH_REPLY_LOST";

    /** Whether the provider's list is about to say what became of its submission. */
    public boolean isLookedFor() {
        return REPLY_LOST.equals(trouble);
    }

    /** Nobody knows whether the provider has it. */
    public boolean isUncertain() {
        return "BATCH_UNCERTAIN".equals(trouble);
    }

    /** No key in use can see it, or hand it over. */
    public boolean isUnreachable() {
        return "BATCH_UNREACHABLE".equals(trouble) || "PROVIDER_AUTH".equals(trouble);
    }

    /** The provider should have given up long ago. */
    public boolean isLate() {
        return until != null && until.plus(GRACE).isBefore(now);
    }

    /**
     * When it ends. It goes on as it has so far, else it takes as long as batches took before. Null: it was not handed over, or
     * nothing is known.
     */
    public @Nullable Instant end() {
        if (since == null || cells <= 0) {
            return null;
        }
        if (done <= 0) {
            Instant usually = usual == null ? null : since.plus(usual);
            return usually == null || usually.isBefore(now) ? null : usually;
        }
        Duration took = Duration.between(since, now);
        return now.plus(took.multipliedBy(Math.max(0, cells - done)).dividedBy(done));
    }
}
