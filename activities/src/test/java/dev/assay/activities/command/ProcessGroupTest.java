package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.container.Launch;
import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.trace.OutputFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The group of a program and its watcher, by real processes. */
@Timeout(60)
class ProcessGroupTest {

    /** A program with a child, which writes one file when it began, and another when it is asked to end. */
    private static final String WITH_A_CHILD = """
        sh -c 'trap "echo >asked; exit" TERM; echo >began; while :; do sleep 0.1; done' %s >/dev/null 2>&1 &
        until [ -e began ]; do sleep 0.05; done
        """;

    /** Limits of {@code ulimit -u} do not hold for root. */
    private static final List<String> AS_A_USER_WITHOUT_PROCESSES =
            List.of("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups");

    @TempDir
    Path temporary;

    @Test
    void shouldKillAtOnceWhatAProgramLeftBehindWhenItEnded() throws Exception {
        String child = "child-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        try (TrialDirectory directory = open()) {
            try (ProcessGroup group = start(directory, "sh", "-c", WITH_A_CHILD.formatted(child))) {
                assertThat(group.await(Duration.ofSeconds(30))).isTrue();
                // The JDK closes the pipe of a program that has ended, if nobody holds its output.
                await().until(() -> !isRunning(child));
                group.end();
            }
            assertThat(directory.work().resolve("asked")).doesNotExist();
        }
    }

    @Test
    void shouldAskFirstWhenAProgramIsStopped() throws Exception {
        String child = "child-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        try (TrialDirectory directory = open();
                ProcessGroup group = start(directory, "sh", "-c", WITH_A_CHILD.formatted(child) + "wait")) {
            await().until(() -> Files.exists(directory.work().resolve("began")));
            group.stop();
            await().until(() -> !isRunning(child));
            assertThat(directory.work().resolve("asked")).exists();
        }
    }

    /** At level none. */
    private static ProcessGroup start(TrialDirectory directory, String... line) throws Exception {
        return start(ProgramIsolation.none(), directory, line);
    }

    private static ProcessGroup start(ProgramIsolation isolation, TrialDirectory directory, String... line)
            throws Exception {
        AgentCommand command =
                new AgentCommand(List.of(line), null, List.of(), List.of(), OutputFormat.TEXT, null, null, true);
        return ProcessGroup.start(List.of(line), directory, isolation.begin(command, directory.id(), directory.root()));
    }

    @Test
    void shouldKillWhatLeftTheGroupWhenTheProgramEnded() throws Exception {
        assumeThat(Path.of("/proc/self/environ"))
                .as("only Linux tells the variables of processes")
                .exists();
        String child = "61" + ProcessHandle.current().pid();
        try (TrialDirectory directory = open();
                ProcessGroup group = start(
                        directory,
                        "sh",
                        "-c",
                        "setsid sh -c 'sleep %s & : >began; wait' >/dev/null 2>&1 & until [ -e began ]; do sleep 0.05; done"
                                .formatted(child))) {
            assertThat(group.await(Duration.ofSeconds(30))).isTrue();
            await().until(() -> isRunning("sleep " + child));
            group.end();
            await().atMost(Duration.ofSeconds(2)).until(() -> !isRunning("sleep " + child));
        }
    }

    private static boolean isRunning(String argument) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().orElse("").endsWith(argument));
    }

    /** The shell of the group is the first process. It starts a second one, which starts the watcher as the third. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void evalParallelExhaustionIsToldAndNoProgramStartsWhenTheWatcherCannotBeStarted(int processes) throws Exception {
        boolean isRoot = System.getProperty("user.name").equals("root");
        assumeThat(isRoot ? canChangeUser() : processes == 1)
                .as("root can become a user without processes; another user has some, and is sure to reach a limit"
                        + " of one")
                .isTrue();
        try (TrialDirectory directory = open()) {
            Process process = new ProcessBuilder(limited(isRoot, processes, directory))
                    .directory(directory.work().toFile())
                    .start();
            try (OutputStream word = process.getOutputStream()) {
                word.write("begin\n".getBytes(StandardCharsets.US_ASCII));
            }
            String stdout = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String stderr = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor()).isNotZero();
            assertThat(stdout).as("output of the program").isEmpty();
            assertThat(SystemLimit.isReached(stderr)).as(stderr).isTrue();
            assertThat(directory.unstarted()).exists();
        }
    }

    private static boolean canChangeUser() throws InterruptedException {
        List<String> command = new ArrayList<>(AS_A_USER_WITHOUT_PROCESSES);
        command.add("true");
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException _) {
            // There is no setpriv.
            return false;
        }
    }

    private TrialDirectory open() throws Exception {
        Path root = temporary.resolve("trial");
        TrialDirectory directory = new TrialDirectory(root, "attempt");
        directory.fill(null, null, "");
        for (Path path : Stream.of(temporary, root, directory.work()).toList()) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        return directory;
    }

    private static List<String> limited(boolean isRoot, int processes, TrialDirectory directory) {
        List<String> command = new ArrayList<>(isRoot ? AS_A_USER_WITHOUT_PROCESSES : List.of());
        command.addAll(List.of("bash", "-c", "ulimit -u $0 && exec \"$@\"", String.valueOf(processes)));
        command.addAll(ProcessGroup.launch(new Launch(List.of("echo", "started"), Map.of(), null), directory));
        return command;
    }
}
