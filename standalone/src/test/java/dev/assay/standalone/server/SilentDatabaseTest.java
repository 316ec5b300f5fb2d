package dev.assay.standalone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.store.SqlState;
import dev.assay.store.sql.Sql;
import io.micronaut.context.ApplicationContext;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL that has a request and says nothing more, as after a cut that nobody was told of. */
@Tag("slow")
@Timeout(60)
class SilentDatabaseTest {

    private static final String DRIVER = "datasources.default.data-source-properties";

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

    private Map<String, Object> properties(DatabaseAddress database) {
        return ServerProperties.ofWorker(DataDirectory.open(directory), database);
    }

    private static void assertGivesUp(Map<String, Object> properties) {
        try (ApplicationContext beans = ApplicationContext.builder()
                .deduceEnvironment(false)
                .banner(false)
                .properties(properties)
                .start()) {
            Sql sql = beans.getBean(Sql.class);
            assertThatThrownBy(() -> sql.write(() -> sql.exists("SELECT pg_sleep(30)")))
                    .satisfies(e -> assertThat(SqlState.isTransient(e)).isTrue());
            assertThat(sql.<Boolean>write(() -> sql.exists("SELECT 1"))).isTrue();
        }
    }
}
