package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.assay.cli.Assay;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.CtrlC;
import dev.assay.standalone.server.Endpoints;
import dev.assay.standalone.testing.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C in the middle of {@code assay run}: the exit code is 130, and no process is left. */
@Tag("slow")
class InterruptTest {

    private static final String CAMPAIGN = """
        name: interrupted
        cases: [{id: a, prompt: One?}, {id: b, prompt: Two?}]
        branches: [{id: slow, kind: scripted, script: {answers: [Answer], delayMs: 500}}]
        trials: 200
        limits: {maxConcurrent: 4}
        """;

    @TempDir
    Path temporary;

    private Api api;
    private Path err;
    private Process run;
    private Endpoints endpoints;

    @BeforeEach
    void interruptible() throws Exception {
        api = new Api(temporary.resolve("data"));
        err = temporary.resolve("err");
        Path file = Files.writeString(temporary.resolve("campaign.yaml"), CAMPAIGN);
        run = JavaProcess.of(
                        Assay.class,
                        "run",
                        file.toString(),
                        "--yes",
                        "--data",
                        temporary.resolve("data").toString(),
                        "--engine",
                        "in-process")
                .redirectError(err.toFile())
                .start();
        assumeFalse(CtrlC.isIgnoredBy(run), "Skipped: these tests run where Ctrl-C is ignored");
        endpoints = api.await();
        await().atMost(Api.PATIENCE).until(() -> api.newest().isPresent() && api.cellsDone(id()) > 0);
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
        run.destroy();
        run.waitFor(Duration.ofSeconds(20));
        run.destroyForcibly();
    }

    private String id() throws Exception {
        return api.newest().orElseThrow();
    }

    private void interrupt() throws Exception {
        CtrlC.to(run);
    }

    private boolean nothingIsLeft() {
        return Stream.of(endpoints.pids().server(), endpoints.pids().postgres())
                .noneMatch(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
    }

    @Test
    void shouldPauseAndLeaveNothingWhenInterrupted() throws Exception {
        String id = id();
        interrupt();

        assertThat(run.waitFor(Duration.ofSeconds(30))).isTrue();
        assertThat(run.exitValue()).isEqualTo(130);
        assertThat(nothingIsLeft()).as("processes that are left").isTrue();
        assertThat(Files.readString(err))
                .contains("Paused. Go on with: assay resume " + id)
                .doesNotContain("assay: ");
    }

    @Test
    void shouldLeaveAtOnceAndLeaveNothingWhenInterruptedTwice() throws Exception {
        interrupt();
        interrupt();

        assertThat(run.waitFor(Duration.ofSeconds(10))).isTrue();
        assertThat(run.exitValue()).isEqualTo(130);
        await().atMost(Duration.ofSeconds(10)).until(this::nothingIsLeft);
    }
}
