package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.uber.m3.tally.NoopScope;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.testing.AssayProcesses;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.standalone.engine.DevServerEngine;
import dev.assay.standalone.engine.PagesAccess;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.testing.LastingPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Temporal loses all of its databases, while the server and the workers run on. */
@Tag("slow")
final class LostTemporalTest {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int CELLS = 60;

    private static final String CAMPAIGN = """
        name: lost
        cases: [{id: one, prompt: "1?"}]
        trials: %d
        branches: [{id: slow, kind: scripted, script: {answers: [Yes], delayMs: 500}}]
        limits: {maxConcurrent: 4}
        """.formatted(CELLS);

    @TempDir
    Path temporary;

    @Test
    void shouldGoOnInANewTemporalWhenItLostEverythingUnderAServerThatRuns() throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        LastingPort.forDevServer(temporary.resolve("lost"));
        DevServerEngine lost = temporal("lost");
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(temporary.resolve("stores")), () -> {});
                AssayProcesses processes = new AssayProcesses(temporary, postgres.address(), lost.address())) {
            AssayApi api = processes.start(1);
            String id = api.submit(CampaignDocument.parse(CAMPAIGN)).id();
            await().atMost(PATIENCE).until(() -> processes.count("outcome") > 4);

            lost.close();
            Files.createDirectory(temporary.resolve("new"));
            Files.copy(
                    temporary.resolve("lost").resolve("port"),
                    temporary.resolve("new").resolve("port"));
            try (DevServerEngine found = temporal("new")) {
                assertThat(found.address()).isEqualTo(lost.address());
                await().atMost(PATIENCE)
                        .ignoreExceptions()
                        .until(() -> api.campaign(id).state() == CampaignState.COMPLETED);
            }
            assertThat(processes.count("outcome")).isEqualTo(CELLS);
        } finally {
            lost.close();
        }
    }

    private DevServerEngine temporal(String directory) {
        return DevServerEngine.start(
                temporary.resolve(directory),
                temporary.resolve(directory + ".log"),
                () -> {},
                new NoopScope(),
                PagesAccess.LOCAL);
    }
}
