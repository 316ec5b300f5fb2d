package dev.assay.standalone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.store.SqlState;
import dev.assay.store.sql.Sql;
import io.micronaut.context.ApplicationContext;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL that says nothing more, as after a cut that nobody was told of, and a worker that says nothing more to it. */
@Tag("slow")
@Timeout(60)
class SilentDatabaseTest {

    private static final String DRIVER = "datasources.default.data-source-properties";

    private static final String LOCK = "SELECT pg_advisory_xact_lock(1)";

    @TempDir
    Path directory;

    @Test
    void shouldBeGivenUpAndAskedAgain() {
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(directory), () -> {})) {
            DatabaseAddress address = postgres.address();
            Map<String, Object> properties = properties(address);
            assertThat(properties.put(DRIVER, Map.of("socketTimeout", "1")))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("socketTimeout", "120");
            assertGivesUp(properties);

            assertGivesUp(properties(
                    new DatabaseAddress(address.jdbcUrl() + "?socketTimeout=1", address.user(), address.password())));
        }
    }

    /** The thread that holds a lock stands for a worker that is frozen: it is silent for as long as the test wants. */
    @Test
    void shouldLetOtherWorkersGoOnWhenOneIsFrozenInATransaction() throws InterruptedException {
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(directory), () -> {});
                ApplicationContext beans = beans(properties(postgres.address()))) {
            Sql sql = beans.getBean(Sql.class);
            CountDownLatch isLocked = new CountDownLatch(1);
            CompletableFuture<Boolean> thawed = new CompletableFuture<>();
            AtomicReference<Throwable> lost = new AtomicReference<>();
            Thread frozen = Thread.ofPlatform()
                    .start(() -> lost.set(catchThrowable(() -> sql.write(() -> {
                        sql.exists(LOCK);
                        isLocked.countDown();
                        return thawed.join() && sql.exists("SELECT 1");
                    }))));
            isLocked.await();

            assertThat(sql.<Boolean>write(() -> sql.exists(LOCK))).isTrue();

            thawed.complete(true);
            frozen.join();
            assertThat(SqlState.isTransient(lost.get()))
                    .as("it is written anew: " + lost.get())
                    .isTrue();
        }
    }

    private Map<String, Object> properties(DatabaseAddress database) {
        return ServerProperties.ofWorker(DataDirectory.open(directory), database);
    }

    private static ApplicationContext beans(Map<String, Object> properties) {
        return ApplicationContext.builder()
                .deduceEnvironment(false)
                .banner(false)
                .properties(properties)
                .start();
    }

    private static void assertGivesUp(Map<String, Object> properties) {
        try (ApplicationContext beans = beans(properties)) {
            Sql sql = beans.getBean(Sql.class);
            assertThatThrownBy(() -> sql.write(() -> sql.exists("SELECT pg_sleep(30)")))
                    .satisfies(e -> assertThat(SqlState.isTransient(e)).isTrue());
            assertThat(sql.<Boolean>write(() -> sql.exists("SELECT 1"))).isTrue();
        }
    }
}
