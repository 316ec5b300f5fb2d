package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.testing.CommandRun;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.DataHolder;
import dev.assay.standalone.server.DataLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryCommandTest {

    @TempDir
    Path directory;

    @Test
    void shouldNameTheHolderWhenAnotherRunHoldsTheDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("campaign.yaml"), """
            name: capitals
            cases: [{id: france, prompt: Capital?}]
            branches: [{id: a, kind: scripted, script: {answers: [Paris]}}]
            """);
        DataDirectory data = DataDirectory.open(directory.resolve("data"));
        DataHolder holder = new DataHolder("assay run", 4711, Instant.EPOCH, false);
        try (DataLock lock = DataLock.tryLock(data, holder).orElseThrow()) {
            assertThat(lock).isNotNull();
            CommandRun run =
                    CommandRun.of("run", file.toString(), "--data", data.path().toString());
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).contains("is in use by `assay run` (pid 4711, since 1970-01-01T00:00:00Z)");
        }
    }

    @Test
    void shouldLeaveProvidersToTheServerOnlyWhenOneRunsThatMayBeJoined() {
        long self = ProcessHandle.current().pid();

        assertThat(joins(new DataHolder("assay up", self, Instant.EPOCH, true))).isTrue();
        assertThat(joins(new DataHolder("assay run", self, Instant.EPOCH, false)))
                .isFalse();
        assertThat(joins(new DataHolder("assay up", Long.MAX_VALUE, Instant.EPOCH, true)))
                .as("the holder died")
                .isFalse();
        assertThat(ApiSession.joinsServer(directory.resolve("none"))).isFalse();
    }

    private boolean joins(DataHolder holder) {
        DataDirectory data = DataDirectory.open(directory.resolve("data"));
        try (DataLock lock = DataLock.tryLock(data, holder).orElseThrow()) {
            return ApiSession.joinsServer(data.path());
        }
    }

    @Test
    void shouldSayThatNoServerRunsWhenAWorkerFindsNone() {
        CommandRun run = CommandRun.of("worker", "--data", directory.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("assay up");
    }
}
