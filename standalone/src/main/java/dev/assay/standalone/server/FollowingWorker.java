package dev.assay.standalone.server;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.standalone.log.Logging;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker that stays with a data directory. It goes on while the server that it joined dies and comes back, and waits while there
 * is none. It joins anew when PostgreSQL or Temporal come back under another address.
 */
public final class FollowingWorker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FollowingWorker.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final DataDirectory directory;
    private final WorkerOptions options;
    private @Nullable JoinedWorker worker;
    private Endpoints joined;
    private String said = "";

    private FollowingWorker(DataDirectory directory, Endpoints endpoints, WorkerOptions options) {
        this.directory = directory;
        this.options = options;
        this.joined = endpoints;
    }

    /**
     * Joins the server of {@code directory}; waits while its stores do not answer.
     *
     * @throws AssayException CONFLICT when the server's Temporal cannot be reached from another process
     */
    public static FollowingWorker join(DataDirectory directory, Endpoints endpoints, WorkerOptions options)
            throws InterruptedException {
        Logging.toFiles(
                directory.logs().resolve("worker-" + ProcessHandle.current().pid()));
        FollowingWorker following = new FollowingWorker(directory, endpoints, options);
        while (following.worker == null) {
            try {
                following.start(Endpoints.read(directory).orElse(endpoints));
            } catch (AssayException e) {
                if (e.code() != ErrorCode.STORE_UNAVAILABLE) {
                    throw e;
                }
                following.say(e.getMessage() + "; this worker tries again");
                Thread.sleep(LOOK_EVERY);
            }
        }
        following.said = "";
        return following;
    }

    /** Base URL of the API of the server that it joined last. */
    public String api() {
        return joined.api();
    }

    /** What it says of programs; null: it has none to start. */
    public @Nullable IsolationOffer programs() {
        return worker == null ? null : worker.programs();
    }

    /** Follows until this thread is interrupted. */
    public void follow() throws InterruptedException {
        while (true) {
            Thread.sleep(LOOK_EVERY);
            look();
        }
    }

    private void look() {
        Optional<Endpoints> now = Endpoints.read(directory).filter(Endpoints::serverRuns);
        if (now.isEmpty()) {
            say("No server runs over " + directory.path() + " any more; this worker waits for the next one (assay up)."
                    + " Ctrl-C ends it");
        } else if (worker != null && now.get().sameStores(joined)) {
            sayAgain("This worker is with the server at " + now.get().api() + " again");
        } else {
            joinAnew(now.get());
        }
    }

    private void joinAnew(Endpoints endpoints) {
        try {
            // Answers that could not be written under the old address are lost, as in a crash: those in flight.
            close();
            say("PostgreSQL or Temporal have a new address; this worker joins " + endpoints.api() + " anew");
            start(endpoints);
            sayAgain("This worker has joined " + endpoints.api() + " anew");
        } catch (AssayException e) {
            say(e.getMessage() + "; this worker tries again");
        }
    }

    private void start(Endpoints endpoints) {
        worker = JoinedWorker.start(directory, endpoints, options);
        joined = endpoints;
    }

    /** Prints each state once, however long it lasts. */
    private void say(String message) {
        if (!message.equals(said)) {
            LOG.warn("{}", message);
            said = message;
        }
    }

    /** Prints that the earlier state is over. */
    private void sayAgain(String message) {
        if (!said.isEmpty()) {
            LOG.warn("{}", message);
            said = "";
        }
    }

    @Override
    public void close() {
        JoinedWorker last = worker;
        worker = null;
        if (last != null) {
            last.close();
        }
    }
}
