package dev.assay.domain.limit.outage;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The sight that a live worker has of a pool.
 *
 * @param runFor for how long all its calls have said that the pool is down; null: they do not say so, or are too few
 * @param sinceAnswer since its last answer; null: it had none
 * @param sinceSignal since its last signal; null: it had none
 * @param inFlightFor how long its oldest call has been in flight; null: it has none
 */
public record WorkerSight(
        String workerId,
        @Nullable Duration runFor,
        @Nullable Duration sinceAnswer,
        @Nullable Duration sinceSignal,
        @Nullable Duration inFlightFor) {

    /** Ends that are older say nothing of now. */
    private static final Duration RECENT = Duration.ofSeconds(10);

    /** A provider that goes away answers some for a moment longer than others. */
    private static final Duration FALLING = Duration.ofSeconds(1);

    /** Whether it saw something of late: a call ended, or one has been in flight for so long. */
    private boolean isWitness() {
        return isRecent(sinceAnswer)
                || isRecent(sinceSignal)
                || (inFlightFor != null && inFlightFor.compareTo(RECENT) >= 0);
    }

    private static boolean isRecent(@Nullable Duration time) {
        return time != null && time.compareTo(RECENT) <= 0;
    }

    /**
     * Whether it says that the pool is there: its last end was an answer, or one came while others were cut off already.
     *
     * @param othersFor for how long others have had no answer
     */
    boolean contradicts(Duration othersFor) {
        if (sinceAnswer == null || !isWitness()) {
            return false;
        }
        boolean answeredLast = sinceSignal == null || sinceAnswer.compareTo(sinceSignal) <= 0;
        return answeredLast
                || (isRecent(sinceAnswer) && sinceAnswer.plus(FALLING).compareTo(othersFor) < 0);
    }
}
