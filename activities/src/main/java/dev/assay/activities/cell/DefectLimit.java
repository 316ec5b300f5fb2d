package dev.assay.activities.cell;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.store.SqlState;
import dev.assay.store.StoreException;
import dev.assay.store.journal.RunJournal;
import io.temporal.activity.Activity;
import io.temporal.client.ActivityCompletionException;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TemporalFailure;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how often an activity meets a defect. Temporal repeats activities without limit, since PostgreSQL may be away for hours. A
 * defect does not pass: after a few tries the activity fails for good, and the campaign says why. Rows that PostgreSQL refuses pause
 * the campaign.
 */
@Singleton
public class DefectLimit {

    private static final Logger LOG = LoggerFactory.getLogger(DefectLimit.class);

    /** Enough for a race that happens once; few enough that a person learns of a defect within half a minute. */
    static final int TRIES = 5;

    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);

    private final RunJournal journal;
    private final RunningCells running;
    private final Duration firstWait;

    @Inject
    public DefectLimit(RunJournal journal, RunningCells running) {
        this(journal, running, FIRST_WAIT);
    }

    /** @param firstWait after the first try; each later one is twice as long */
    DefectLimit(RunJournal journal, RunningCells running, Duration firstWait) {
        this.journal = journal;
        this.running = running;
        this.firstWait = firstWait;
    }

    /**
     * Does {@code work}, again where a defect ended it.
     *
     * @param paused the result when PostgreSQL refuses the campaign's rows, for which it is paused now
     * @throws ApplicationFailure INTERNAL, not to be retried, when a defect ended each try
     */
    public <T> T run(String campaignId, Supplier<T> work, Supplier<T> paused) {
        Duration wait = firstWait;
        for (int tried = 1; ; tried++) {
            try {
                return work.get();
            } catch (RuntimeException | Error e) {
                if (!isDefect(e) || running.isDraining()) {
                    throw e;
                }
                if (e instanceof StoreException refused && journal.pause(campaignId, refused)) {
                    return paused.get();
                }
                LOG.error("Try {} of {} at an activity of campaign {} failed", tried, TRIES, campaignId, e);
                if (tried == TRIES) {
                    throw ApplicationFailure.newNonRetryableFailureWithCause(
                            Failure.unexpected(e).message(), ErrorCode.INTERNAL.name(), e);
                }
                await(wait, e);
                wait = wait.multipliedBy(2);
            }
        }
    }

    private static void await(Duration wait, Throwable failed) {
        try {
            Thread.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The activity's thread was interrupted", failed);
        }
        Activity.getExecutionContext().heartbeat(0);
    }

    /** Whether it is neither an outage, nor Temporal's word, nor the end of this worker. */
    static boolean isDefect(Throwable error) {
        if (SqlState.isTransient(error) || Thread.currentThread().isInterrupted()) {
            return false;
        }
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof TemporalFailure
                    || cause instanceof ActivityCompletionException
                    || cause instanceof InterruptedException) {
                return false;
            }
        }
        return !(error instanceof AssayException assay) || assay.code() == ErrorCode.INTERNAL;
    }
}
