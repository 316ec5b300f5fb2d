package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.uber.m3.tally.NoopScope;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.testing.AssayProcesses;
import dev.assay.cli.testing.ExternalStores;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.standalone.engine.DevServerEngine;
import dev.assay.standalone.engine.PagesAccess;
import dev.assay.standalone.engine.TemporalEngine;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.standalone.process.DetachedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL is replaced by a backup of it while Temporal and all processes of Assay go on. */
@Tag("slow")
final class RestoredPostgresTest {

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final int CELLS = 60;

    private static final String CAMPAIGN = """
        name: restored
        cases: [{id: one, prompt: "1?"}]
        trials: %d
        branches: [{id: slow, kind: scripted, script: {answers: [Yes], delayMs: 1000}}]
        limits: {maxConcurrent: 4}
        """.formatted(CELLS);

    @TempDir
    Path temporary;

    @Test
    void shouldGoOnInANewEpochAndSayThatSpendIsUnknownWhenPostgresIsRestoredFromABackup() throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        PostgresHome home = PostgresHome.in(temporary.resolve("stores"));
        LocalPostgres postgres = LocalPostgres.start(home, () -> {});
        DatabaseAddress database = postgres.address();
        try (TemporalEngine temporal = DevServerEngine.start(
                        temporary.resolve("temporal"),
                        temporary.resolve("temporal.log"),
                        () -> {},
                        new NoopScope(),
                        PagesAccess.LOCAL);
                AssayProcesses processes =
                        new AssayProcesses(temporary, database, String.valueOf(temporal.address()))) {
            AssayApi api = processes.start(1);
            String id = api.submit(CampaignDocument.parse(CAMPAIGN)).id();
            await().atMost(PATIENCE).until(() -> processes.count("outcome") >= 4);

            Path backup = backUp(ExternalStores.superuser(database, home), home.data());
            int asBackedUp = processes.count("outcome");
            int marksBefore = processes.count("store_mark");
            api.act(id, "pause");
            api.act(id, "resume");
            await().atMost(PATIENCE).until(() -> processes.count("outcome") >= asBackedUp + 4);
            // Marks are made every five seconds. A time without one may be lost unseen.
            await().atMost(PATIENCE).until(() -> processes.count("store_mark") > marksBefore);
            postgres.close();
            delete(home.data());
            Files.move(backup, home.data());
            postgres = LocalPostgres.start(home, () -> {});

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> api.campaign(id).state() == CampaignState.COMPLETED);
            assertThat(processes.count("outcome")).isEqualTo(CELLS);
            assertThat(processes.count("campaign WHERE epoch > 2"))
                    .as("campaigns above all epochs of the lost time")
                    .isEqualTo(1);
            assertThat(api.campaign(id).health().reasons())
                    .extracting(CampaignHealth.Reason::code)
                    .contains(CampaignHealth.Code.STORE_RESTORED);
        } finally {
            postgres.close();
        }
    }

    /** As file-level backups are made: nothing is stopped meanwhile. */
    private Path backUp(DatabaseAddress database, Path data) throws Exception {
        Path backup = temporary.resolve("backup");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('test', true)");
            copy(data, backup);
            try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                row.next();
                Files.writeString(backup.resolve("backup_label"), row.getString(1));
            }
        }
        copy(data.resolve("pg_wal"), backup.resolve("pg_wal"));
        Files.delete(backup.resolve("postmaster.pid"));
        return backup;
    }

    private static void copy(Path from, Path to) throws IOException, InterruptedException {
        delete(to);
        // Files come and go while they are copied, which cp calls an error.
        new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }
}
