package dev.assay.campaigns.upkeep;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.retention.RetentionRules;
import dev.assay.store.imported.ImportRepository;
import dev.assay.store.removal.RemovalRepository;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes in the background what is deleted, and imports that nobody finished. Deletes campaigns that are older than an operator keeps
 * them. It removes no more rows in a second than the rules allow.
 */
@Singleton
public final class Retention {

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    /** How soon a deletion begins; looking costs two statements that find nothing. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    /** Pieces of an import that go in one transaction: they are large. */
    private static final int PIECES = 20;

    private static final long NANOS = Duration.ofSeconds(1).toNanos();

    private final RemovalRepository removal;
    private final ImportRepository imports;
    private final CampaignDeletion deletion;
    private final RetentionRules rules;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private @Nullable Thread thread;

    Retention(RemovalRepository removal, ImportRepository imports, CampaignDeletion deletion) {
        this.removal = removal;
        this.imports = imports;
        this.deletion = deletion;
        this.rules = deletion.rules();
    }

    /** Looks now and every 5 s from now on. Called by a server that stays, when everything that it starts is up. */
    public synchronized void start() {
        if (thread == null) {
            deletion.leaveToBackground();
            thread = Thread.ofPlatform().daemon().name("retention").start(this::run);
        }
    }

    /** Looks no more, and ends after the transaction that runs. What is left goes on with the next server. */
    @PreDestroy
    public synchronized void stop() {
        stopped.countDown();
        if (thread != null) {
            try {
                thread.join(INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        boolean ended = false;
        while (!ended) {
            look();
            ended = isStoppedWithin(INTERVAL.toNanos());
        }
    }

    /** Looks once. A look that fails is made again. */
    void look() {
        try {
            rules.campaigns().forEach(this::deleteEnded);
            deletion.goOn(this::pace);
            removeStaleImports();
        } catch (RuntimeException | Error e) {
            // An Error would end the thread silently.
            LOG.warn("Rows of deleted campaigns could not be removed; next try in {}", INTERVAL, e);
        }
    }

    private void removeStaleImports() {
        int removed = imports.removeStale(PIECES);
        while (removed > 0 && pace(removed)) {
            removed = imports.removeStale(PIECES);
        }
    }

    private void deleteEnded(CampaignState state, Duration age) {
        for (String campaignId : removal.ended(state.name(), age.toSeconds())) {
            try {
                if (removal.begin(campaignId)) {
                    LOG.info("Campaign {} is {} for longer than {}: it is deleted", campaignId, state, age);
                }
            } catch (AssayException e) {
                // It goes on again, is continued, or is gone.
                LOG.debug("Campaign {} is kept: {}", campaignId, e.getMessage());
            }
        }
    }

    private boolean pace(int rows) {
        return !isStoppedWithin(rows * NANOS / rules.rowsPerSecond());
    }

    private boolean isStoppedWithin(long nanos) {
        try {
            return stopped.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
