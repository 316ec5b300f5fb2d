package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
            try (ProcessGroup group =
                    ProcessGroup.start(List.of("sh", "-c", WITH_A_CHILD.formatted(child)), directory)) {
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
                ProcessGroup group =
                        ProcessGroup.start(List.of("sh", "-c", WITH_A_CHILD.formatted(child) + "wait"), directory)) {
            await().until(() -> Files.exists(directory.work().resolve("began")));
            group.stop();
            await().until(() -> !isRunning(child));
            assertThat(directory.work().resolve("asked")).exists();
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
        TrialDirectory directory = new TrialDirectory(root);
        directory.fill(null, null, "");
        for (Path path : Stream.of(temporary, root, directory.work()).toList()) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        return directory;
    }

    private static List<String> limited(boolean isRoot, int processes, TrialDirectory directory) {
        List<String> command = new ArrayList<>(isRoot ? AS_A_USER_WITHOUT_PROCESSES : List.of());
        command.addAll(List.of("bash", "-c", "ulimit -u $0 && exec \"$@\"", String.valueOf(processes)));
        command.addAll(ProcessGroup.launch(List.of("echo", "started"), directory));
        return command;
    }
}
