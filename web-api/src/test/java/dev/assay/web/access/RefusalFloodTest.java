package dev.assay.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.web.ServerFixture;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client without a token that asks as often as it can. */
@Timeout(180)
@Tag("slow")
class RefusalFloodTest {

    private static final int FLOOD = Integer.getInteger("assay.flood", 5_000);
    private static final int CLIENTS = 4;
    private static final String COUNTED = "SELECT count(*) + coalesce(sum(repeated), 0) FROM audit WHERE refused";
    private static final String MOST_IN_A_MINUTE = """
        SELECT max(rows) FROM (SELECT count(*) OVER (PARTITION BY origin ORDER BY at
            RANGE BETWEEN interval '59.9 s' PRECEDING AND CURRENT ROW) AS rows FROM audit WHERE refused) windows
        """;

    @Test
    void shouldCountEveryRefusalInFewRowsWhenTheAuditCannotBeWrittenAtFirst() throws Exception {
        try (ServerFixture server = ServerFixture.start(Map.of("assay.access.tokens", true))) {
            server.store().execute("ALTER TABLE audit RENAME TO audit_away");
            flood(server);
            server.store().execute("ALTER TABLE audit_away RENAME TO audit");
            flood(server);

            await().atMost(Duration.ofSeconds(20)).until(() -> server.store().count(COUNTED) >= FLOOD);
            assertThat(server.store().count(COUNTED)).isEqualTo(FLOOD);
            assertThat(server.store().count(MOST_IN_A_MINUTE)).isEqualTo(RefusalTally.PER_ADDRESS);
            assertThat(server.get(MeterRegistry.class)
                            .get("assay.requests.refused")
                            .tag("status", "401")
                            .counter()
                            .count())
                    .isEqualTo(FLOOD);
        }
    }

    /** Half of all requests. */
    private static void flood(ServerFixture server) {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int client = 0; client < CLIENTS; client++) {
                var _ = executor.submit(() -> {
                    for (int i = 0; i < FLOOD / CLIENTS / 2; i++) {
                        server.fetch("/api/v1/campaigns");
                    }
                });
            }
        }
    }
}
