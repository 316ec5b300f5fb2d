package dev.assay.domain.draw;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which stored answers a campaign takes in place of asking again.
 *
 * @param campaigns ids of those whose answers it takes; empty: any
 * @param maxAge how long ago an answer was given at most, at the time of the submission, at least a minute; null: any time
 * @param calls which of its calls take stored answers, at least one
 */
public record ReusePolicy(List<String> campaigns, @Nullable Duration maxAge, Set<Call> calls) {

    /** The most campaigns that one may name. */
    public static final int MOST_CAMPAIGNS = 100;

    public ReusePolicy {
        campaigns = List.copyOf(campaigns);
        calls = Set.copyOf(calls);
    }

    /** A kind of call. */
    public enum Call {
        BRANCH,
        JUDGE,
        GRADE;

        /** Its word in campaign files. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The time since when answers are taken; null: ever. */
    public @Nullable Instant since(Instant submitted) {
        return maxAge == null ? null : submitted.minus(maxAge);
    }
}
