package dev.assay.standalone.start;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for an external service, and logs what is missing. */
public final class Waiting {

    /** The wait of processes that stay: a whole deployment may be starting. */
    public static final Duration SERVICE = Duration.ofMinutes(5);
    /** The wait of a person at a prompt. */
    public static final Duration PROMPT = Duration.ofSeconds(15);

    private static final Logger LOG = LoggerFactory.getLogger(Waiting.class);
    private static final Duration FIRST_WORD = Duration.ofSeconds(5);
    private static final Duration NEXT_WORD = Duration.ofSeconds(10);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 250;

    private Waiting() {}

    /** One look. */
    @FunctionalInterface
    public interface Look {
        /**
         * The missing part; empty: none.
         *
         * @throws AssayException when waiting is of no use
         */
        Optional<String> missing();
    }

    /**
     * Returns when nothing is missing any more.
     *
     * @param service what is waited for and where, as a sentence begins with it
     * @throws AssayException STORE_UNAVAILABLE with what was missing at the end of {@code limit}, or what a look throws
     */
    public static void until(String service, Duration limit, Look look) {
        long start = System.nanoTime();
        long nextWord = start + FIRST_WORD.toNanos();
        long pause = FIRST_PAUSE_MILLIS;
        boolean said = false;
        Optional<String> missing = look.missing();
        while (missing.isPresent()) {
            long now = System.nanoTime();
            if (now - start > limit.toNanos()) {
                throw new AssayException(
                        ErrorCode.STORE_UNAVAILABLE,
                        service + " did not answer within " + limit.toSeconds() + " s: " + missing.get());
            }
            if (now > nextWord) {
                LOG.warn("Waiting for {}, at most {} s: {}", service, limit.toSeconds(), missing.get());
                nextWord = now + NEXT_WORD.toNanos();
                said = true;
            }
            pause(service, pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
            missing = look.missing();
        }
        if (said) {
            LOG.warn("No longer waiting for {}", service);
        }
    }

    private static void pause(String service, long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssayException(ErrorCode.CANCELLED, "Interrupted while waiting for " + service, e);
        }
    }
}
