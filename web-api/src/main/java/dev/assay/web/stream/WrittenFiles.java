package dev.assay.web.stream;

import dev.assay.domain.error.AssayException;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * The files that are written from the store while clients read them. A few at once: each holds the bytes of a page. They use at most
 * half of the connections to PostgreSQL, so that other requests always find one.
 */
@Singleton
public final class WrittenFiles {

    private static final int AT_ONCE = 8;

    /** A client that takes no piece for so long is cut off. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final int atOnce;
    private final Semaphore places;

    WrittenFiles(@Value("${datasources.default.maximum-pool-size:40}") int connections) {
        atOnce = Math.clamp(connections / 2, 1, AT_ONCE);
        places = new Semaphore(atOnce);
    }

    /**
     * The bytes of {@code writing}, whose first piece is written when this returns.
     *
     * @throws AssayException SERVER_BUSY when as many as may be are being written; what {@code writing} throws before its first piece
     */
    public InputStream open(WrittenStream.Writing writing) {
        if (!places.tryAcquire()) {
            throw AssayException.busy(
                    "The server is writing " + atOnce + " files of results, as many as it writes at once: ask again in "
                            + RETRY_AFTER.toSeconds() + " seconds",
                    RETRY_AFTER);
        }
        try {
            return WrittenStream.of(writing, PATIENCE, places::release);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
