package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.CommandRun;
import dev.assay.standalone.server.Endpoints;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of a process that runs agents of its own file: they are gone in 2 s, and the next process makes their trials again. */
@Tag("slow")
class AgentCrashTest {

    private static final int TRIALS = 4;

    /** What the agents wait for while they are to be killed; no other process has it on its command line. */
    private static final String SLEEP = "sleep 31" + ProcessHandle.current().pid();

    @TempDir
    Path temporary;

    private Path data;
    private Path file;
    private KilledServer assay;

    @BeforeEach
    void prepare() throws Exception {
        data = Files.createDirectory(temporary.resolve("data"));
        assay = new KilledServer(data);
        Path workspace = Files.createDirectories(temporary.resolve("project/below"));
        Path agent = Files.writeString(workspace.resolveSibling("agent.sh"), """
            #!/bin/sh
            # Deaf to SIGTERM, with a child, until it may answer.
            [ -e %s ] || { trap '' TERM; %s >/dev/null 2>&1 & %s; }
            cat
            """.formatted(released(), SLEEP, SLEEP));
        assertThat(agent.toFile().setExecutable(true)).isTrue();
        file = Files.writeString(temporary.resolve("campaign.yaml"), """
            name: agents
            cases: [{id: a, prompt: Hello, workspaceSubdir: below, checks: [{type: equals, value: Hello}]}]
            branches: [{id: b, command: [../agent.sh], workspace: project}]
            trials: %d
            limits: {maxConcurrent: %d}
            """.formatted(TRIALS, TRIALS));
    }

    private Path released() {
        return temporary.resolve("released");
    }

    @AfterEach
    void stop() throws Exception {
        Files.writeString(released(), "");
        assay.close();
    }

    private static List<ProcessHandle> agents() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(SLEEP))
                .toList();
    }

    private List<Path> directories() throws IOException {
        try (Stream<Path> found = Files.list(data.resolve("agents/trials"))) {
            return found.toList();
        }
    }

    @Test
    void shouldEndAgentsAndMakeTheirTrialsAgainWhenTheirProcessIsKilled() throws Exception {
        Process run = assay.start("run", file.toString());
        Endpoints endpoints = assay.api().await();
        await().atMost(Api.PATIENCE).until(() -> agents().size() >= 2 * TRIALS);
        String id;
        try (AssayApi api = new AssayApi(URI.create(endpoints.api()))) {
            id = api.campaigns().getFirst().id();
        }

        run.destroyForcibly();

        await().atMost(Duration.ofSeconds(2))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> agents().isEmpty());
        assertThat(directories()).as("what the killed process left").isNotEmpty();
        Files.writeString(released(), "");
        Process resumed = assay.start("resume", id);
        assertThat(resumed.waitFor(Api.PATIENCE)).isTrue();
        assertThat(resumed.exitValue()).isZero();
        assertThat(directories()).as("of any process").isEmpty();
        assay.inspect(id, tables -> {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE passed AND exit_code = 0 AND campaign_id = ?"))
                    .isEqualTo(TRIALS);
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ?"))
                    .isEqualTo(2 * TRIALS);
        });
    }

    @Test
    void shouldEndWithOneBeforeAnythingRunsWhenTheAgentIsMissing() throws Exception {
        Files.writeString(file, """
            name: missing
            cases: [{id: a, prompt: Hello}]
            branches: [{id: b, command: [no-such-agent]}]
            """);

        CommandRun run = CommandRun.of("run", file.toString(), "--data", data.toString());

        assertThat(run.code()).isOne();
        assertThat(run.err()).contains("EVAL_AGENT_UNAVAILABLE", "no-such-agent");
        assertThat(data.resolve("postgres")).doesNotExist();
    }
}
