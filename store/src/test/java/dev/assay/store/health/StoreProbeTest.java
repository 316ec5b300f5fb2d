package dev.assay.store.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.health.StoreRefusal;
import dev.assay.store.StoreFixture;
import dev.assay.store.sql.Sql;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class StoreProbeTest {

    @Test
    void shouldSayThatADatabaseIsReadOnly() {
        try (StoreFixture store = StoreFixture.open()) {
            assertThat(probe(store).look()).isEmpty();

            store.execute("SET default_transaction_read_only = off");
            store.execute("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',"
                    + " current_database()); END $$");
            store.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()");

            // The pool finds out one by one that its connections are gone.
            StoreRefusal refusal = Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> probe(store).look(), Optional::isPresent)
                    .orElseThrow();
            assertThat(refusal.readOnly()).isTrue();
            assertThat(refusal.words()).contains("read-only");
        }
    }

    /** One that has not looked yet. */
    private static StoreProbe probe(StoreFixture store) {
        return new StoreProbe(store.get(Sql.class));
    }
}
