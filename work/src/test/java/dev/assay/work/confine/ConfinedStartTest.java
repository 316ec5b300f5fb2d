package dev.assay.work.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConfinedStartTest {

    private static final List<Path> SYSTEM = Stream.of(
                    "/usr", "/bin", "/lib", "/lib64", "/proc", System.getProperty("java.home"))
            .map(Path::of)
            .filter(Files::exists)
            .toList();

    @TempDir
    Path temporary;

    @BeforeEach
    void lookForLandlock() {
        assumeTrue(
                Landlock.version() > 0,
                "This kernel has no Landlock (Linux 5.13 or newer has it): no process was started in its walls");
    }

    private Landlock walls() throws IOException {
        return Landlock.closing(EnumSet.of(Wall.FILES, Wall.PROCESSES))
                .readExecute(SYSTEM)
                .readWrite(List.of(temporary, Path.of("/dev/null")));
    }

    private static String run(Landlock walls, String... command) throws Exception {
        Process process = ConfinedStart.start(List.of(walls), new ProcessBuilder(command));
        try (OutputStream word = process.getOutputStream()) {
            word.write('\n');
        }
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The walls of a thread are not shown, but what each thread in them gave up is. */
    private static List<String> threadsInside() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                if (hasGivenUp(task)) {
                    found.add(Files.readString(task.resolve("comm")));
                }
            }
        }
        return found;
    }

    private static boolean hasGivenUp(Path task) {
        try {
            return Files.readString(task.resolve("status")).contains("NoNewPrivs:\t1");
        } catch (IOException _) {
            // The thread has ended.
            return false;
        }
    }

    @Test
    void shouldConfineTheProcessAndNoThreadOfThisOneWhenManyStartAtOnce() throws Exception {
        assumeTrue(threadsInside().isEmpty(), "All threads gave up rights: nothing tells those in walls apart");
        try (ExecutorService pool = Executors.newFixedThreadPool(8);
                Landlock walls = walls()) {
            List<Future<Process>> started = Stream.generate(
                            () -> pool.submit(() -> ConfinedStart.start(List.of(walls), new ProcessBuilder("cat"))))
                    .limit(40)
                    .toList();
            for (Future<Process> process : started) {
                assertThat(process.get().isAlive()).isTrue();
            }
            assertThat(threadsInside())
                    .as("threads of this process in the walls")
                    .isEmpty();
            for (Future<Process> process : started) {
                assertThat(Files.readString(Path.of("/proc/" + process.get().pid() + "/status")))
                        .contains("NoNewPrivs:\t1");
                process.get().destroyForcibly();
            }
        }
    }

    @Test
    void shouldKeepTheProcessFromFilesWhenNoRuleOpensThem() throws Exception {
        try (Landlock walls = walls()) {
            assertThat(run(walls, "sh", "-c", "read go; cat /etc/passwd 2>/dev/null || echo closed"))
                    .isEqualTo("closed\n");
        }
    }

    @Test
    void shouldBecomeTheUserAndDieWithTheOthersOfItWhenRootStartsIt() throws Exception {
        assumeTrue(OtherUser.isPossible(), "This is not root: nothing was started as another user");
        OtherUser user = new OtherUser(63_987);
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "id -u; id -g; id -G; exec sleep 61")
                .directory(Path.of("/").toFile());
        Process process = ConfinedStart.start(List.of(user), builder);
        Process innocent = new ProcessBuilder("sleep", "61").start();
        try {
            byte[] said = process.getInputStream().readNBytes(18);
            assertThat(new String(said, StandardCharsets.UTF_8)).isEqualTo("63987\n63987\n63987\n");

            user.killAll(new OtherUser(63_988));

            assertThat(process.waitFor()).isEqualTo(128 + 9);
            assertThat(innocent.isAlive()).isTrue();
        } finally {
            process.destroyForcibly();
            innocent.destroyForcibly();
        }
    }
}
