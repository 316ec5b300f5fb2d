package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.uber.m3.tally.NoopScope;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.testing.AssayProcesses;
import dev.assay.cli.testing.Frozen;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.standalone.engine.DevServerEngine;
import dev.assay.standalone.engine.PagesAccess;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.standalone.process.DetachedCommand;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Temporal stands still for longer than an activity may be without a heartbeat, while calls are under way that last longer. */
@Tag("slow")
@EnabledIfSystemProperty(named = "assay.slow", matches = "true")
final class FrozenTemporalTest {

    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final Duration FROZEN = Duration.ofSeconds(45);
    private static final int CALLS = 8;

    private static final String CAMPAIGN = """
        name: frozen
        cases: [{id: one, prompt: "1?"}]
        trials: %d
        branches: [{id: slow, kind: scripted, script: {answers: [Yes], delayMs: 60000}}]
        limits: {maxConcurrent: %d}
        """.formatted(CALLS, CALLS);

    @TempDir
    Path temporary;

    @Test
    void shouldAskNothingAgainWhenTemporalStandsStillDuringCalls() throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(temporary.resolve("stores")), () -> {});
                DevServerEngine temporal = DevServerEngine.start(
                        temporary.resolve("temporal"),
                        temporary.resolve("temporal.log"),
                        () -> {},
                        new NoopScope(),
                        PagesAccess.LOCAL);
                AssayProcesses processes =
                        new AssayProcesses(temporary, postgres.address(), String.valueOf(temporal.address()))) {
            AssayApi api = processes.start(2);
            String id = api.submit(CampaignDocument.parse(CAMPAIGN)).id();
            await().atMost(PATIENCE).until(() -> processes.count("ledger WHERE state = 'SENT'") == CALLS);

            Frozen.process(temporal.pid(), FROZEN);

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> api.campaign(id).state() == CampaignState.COMPLETED);
            assertThat(processes.count("ledger")).as("requests").isEqualTo(CALLS);
        }
    }
}
