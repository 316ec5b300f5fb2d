package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.testing.Api;
import dev.assay.standalone.server.Endpoints;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of a process that runs own code: the code is gone in 2 s, runs again later, and no answer is paid twice. */
@Tag("slow")
class OwnCodeCrashTest {

    private static final int TRIALS = 3;

    /** What the code starts; no other process has it on its command line. */
    private static final String SLEEP = "32" + ProcessHandle.current().pid();

    @TempDir
    Path temporary;

    private Path file;
    private KilledServer assay;

    @BeforeEach
    void prepare() throws Exception {
        assay = new KilledServer(Files.createDirectory(temporary.resolve("data")));
        Path code = Files.createDirectory(temporary.resolve("checks"));
        Files.writeString(code.resolve("wait.py"), """
            import os, signal, subprocess, time

            def get_assert(output, context):
                released = context["config"]
                if not os.path.exists(released):
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    subprocess.Popen(["sleep", "%s"])
                    subprocess.Popen(["sleep", "%s"], start_new_session=True)
                while not os.path.exists(released):
                    time.sleep(0.05)
                return output == "Hello"
            """.formatted(SLEEP, SLEEP));
        file = Files.writeString(temporary.resolve("campaign.yaml"), """
            name: code
            code: checks
            cases: [{id: a, prompt: Hi, checks: [{type: python, file: wait.py, config: "%s", timeoutSeconds: 600}]}]
            branches: [{id: b, kind: scripted, script: {answers: [Hello]}}]
            trials: %d
            """.formatted(released(), TRIALS));
    }

    private Path released() {
        return temporary.resolve("released");
    }

    @AfterEach
    void stop() throws Exception {
        Files.writeString(released(), "");
        assay.close();
    }

    private static List<ProcessHandle> started() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").endsWith(SLEEP))
                .toList();
    }

    @Test
    void shouldEndCodeAndRunItAgainWhenItsProcessIsKilled() throws Exception {
        Process run = assay.start("run", file.toString());
        Endpoints endpoints = assay.api().await();
        await().atMost(Api.PATIENCE).until(() -> started().size() >= 2 * TRIALS);
        String id;
        try (AssayApi api = new AssayApi(URI.create(endpoints.api()))) {
            id = api.campaigns().getFirst().id();
        }

        run.destroyForcibly();

        await().atMost(Duration.ofSeconds(2))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> started().isEmpty());
        Files.writeString(released(), "");
        Process resumed = assay.start("resume", id);
        assertThat(resumed.waitFor(Api.PATIENCE)).isTrue();
        assertThat(resumed.exitValue()).isZero();
        assay.inspect(id, tables -> {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE passed AND campaign_id = ?"))
                    .isEqualTo(TRIALS);
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ?"))
                    .as("no answer is paid twice")
                    .isEqualTo(TRIALS);
        });
    }
}
