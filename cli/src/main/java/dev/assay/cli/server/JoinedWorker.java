package dev.assay.cli.server;

import dev.assay.activities.worker.CampaignWorker;
import dev.assay.cli.engine.ExternalEngine;
import dev.assay.cli.postgres.DatabaseAddress;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;

/** A worker in a process of its own, on the stores of a server that runs elsewhere. */
public final class JoinedWorker implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofSeconds(2);

    private final Cleanup cleanup;

    private JoinedWorker(Cleanup cleanup) {
        this.cleanup = cleanup;
    }

    /**
     * Connects and begins to poll.
     *
     * @throws AssayException CONFLICT when the server's Temporal cannot be reached from another process; STORE_UNAVAILABLE
     *     when it or PostgreSQL do not answer
     */
    public static JoinedWorker start(DataDirectory directory, Endpoints endpoints) {
        String temporal = endpoints.temporal();
        if (temporal == null) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "The server at " + endpoints.api()
                            + " runs Temporal inside its own process, which no other worker can"
                            + " reach; start it with the temporal CLI on the PATH, or with TEMPORAL_ADDRESS");
        }
        Cleanup cleanup = new Cleanup();
        cleanup.runAtExit();
        try {
            ExternalEngine engine = ExternalEngine.at(temporal, endpoints.namespace());
            cleanup.add("Temporal", engine::close);
            ApplicationContext context = ApplicationContext.builder()
                    .deduceEnvironment(false)
                    .deduceCloudEnvironment(false)
                    .banner(false)
                    .singletons(engine)
                    .properties(ServerProperties.ofWorker(directory, DatabaseAddress.parse(endpoints.database())))
                    .build();
            cleanup.add("the worker's beans", context::close);
            context.start();
            CampaignWorker worker = context.getBean(CampaignWorker.class);
            cleanup.add("the worker", () -> worker.stop(DRAIN));
            worker.start();
            return new JoinedWorker(cleanup);
        } catch (RuntimeException e) {
            cleanup.run();
            throw e instanceof AssayException known
                    ? known
                    : new AssayException(
                            ErrorCode.STORE_UNAVAILABLE,
                            "The server at " + endpoints.api() + " cannot be joined now: " + e.getMessage(),
                            e);
        }
    }

    @Override
    public void close() {
        cleanup.run();
    }
}
