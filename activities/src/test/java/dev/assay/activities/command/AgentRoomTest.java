package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.activities.isolation.ProgramIsolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentRoomTest {

    @TempDir
    Path base;

    private AgentRoom room() {
        return new AgentRoom(base, ProgramIsolation.none());
    }

    private List<Path> locks() throws IOException {
        try (Stream<Path> all = Files.list(base.resolve("trials"))) {
            return all.filter(file -> file.toString().endsWith(".lock")).toList();
        }
    }

    /** Whether another process can take the lock of a file. */
    private static boolean canTake(Path lock) throws Exception {
        Process other = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)",
                        lock.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return other.waitFor() == 0;
    }

    /** To open and close a file whose lock the same process holds gives the lock up: other processes would take the room away. */
    @Test
    void shouldKeepItsLockWhenAnotherRoomOfTheSameProcessLooksForTheDead() throws Exception {
        assumeTrue(AgentPermission.isFound("python3"), "python3 is not on the PATH of this machine");
        try (AgentRoom living = room();
                AgentRoom other = room()) {
            Path trial = living.workspaces();
            assertThat(trial).isDirectory();
            Path lock = locks().getFirst();
            other.clear();

            assertThat(canTake(lock)).isFalse();
        }
    }

    @Test
    void shouldClearWhatADeadWorkerLeft() throws Exception {
        Path left = base.resolve("trials").resolve("dead");
        Files.createDirectories(left.resolve("1"));
        Files.createFile(left.resolveSibling("dead.lock"));

        try (AgentRoom room = room()) {
            room.clear();
        }

        assertThat(left).doesNotExist();
        assertThat(locks()).isEmpty();
    }
}
