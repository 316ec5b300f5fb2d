package dev.assay.standalone.server;

import dev.assay.domain.error.AssayException;
import dev.assay.standalone.log.Logging;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.DatabaseWait;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.standalone.start.Waiting;
import io.micronaut.context.ApplicationContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * PostgreSQL without a server, for commands before one can start. Its schema is brought up to date. It is that of the environment,
 * else that of the server which holds the data directory, else the embedded one, which it starts.
 */
public final class StoreSession implements AutoCloseable {

    private final Cleanup cleanup = new Cleanup();
    private final ApplicationContext beans;

    private StoreSession(DataDirectory directory, String command) {
        try {
            beans = ApplicationContext.builder()
                    .deduceEnvironment(false)
                    .deduceCloudEnvironment(false)
                    .banner(false)
                    .properties(ServerProperties.ofStore(directory, database(directory, command)))
                    .build();
            cleanup.add("the store's beans", beans::close);
            beans.start();
        } catch (RuntimeException e) {
            cleanup.run();
            throw e;
        }
    }

    /**
     * Opens the store.
     *
     * @param command what the user typed, for others who want the same data directory
     * @throws AssayException STORE_UNAVAILABLE when it does not answer; CONFLICT when another command is about to start it
     */
    public static StoreSession open(DataDirectory directory, String command) {
        return new StoreSession(directory, command);
    }

    private DatabaseAddress database(DataDirectory directory, String command) {
        Optional<DatabaseAddress> external = DatabaseAddress.ofProcess();
        if (external.isPresent()) {
            DatabaseWait.untilConnected(external.get(), Waiting.PROMPT);
            return external.get();
        }
        DataHolder holder = new DataHolder(
                command, ProcessHandle.current().pid(), Instant.now().truncatedTo(ChronoUnit.SECONDS), false);
        Optional<DataLock> lock = DataLock.tryLock(directory, holder);
        if (lock.isEmpty()) {
            return Endpoints.read(directory)
                    .filter(Endpoints::serverRuns)
                    .map(endpoints -> DatabaseAddress.parse(endpoints.database()))
                    .orElseThrow(() -> DataLock.held(directory));
        }
        cleanup.add("the data directory", lock.get()::close);
        cleanup.runAtExit();
        Logging.toFiles(directory.logs());
        LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(directory.path()), () -> {});
        cleanup.add("PostgreSQL", postgres::close);
        return postgres.address();
    }

    /** The repository of {@code type}. */
    public <T> T get(Class<T> type) {
        return beans.getBean(type);
    }

    @Override
    public void close() {
        cleanup.run();
    }
}
