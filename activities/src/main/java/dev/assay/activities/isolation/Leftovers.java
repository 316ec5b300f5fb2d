package dev.assay.activities.isolation;

import dev.assay.activities.container.Container;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The processes that attempts left behind outside their group, found by a variable that they were given. One that drops its variables
 * is not found. Linux only.
 */
final class Leftovers {

    /** They may start others while they are killed. */
    private static final int ROUNDS = 50;

    private static final Path PROC = Path.of("/proc");

    private Leftovers() {}

    /**
     * Kills every process of this user that the attempt left.
     *
     * @return whether none is left
     */
    static boolean kill(String attempt) {
        return killAll(attempt + "\0");
    }

    /** Kills every process of this user that attempts left whose worker has died. */
    static void killAllOf(String worker) {
        var _ = killAll(worker + "-");
    }

    private static boolean killAll(String beginning) {
        for (int left = ROUNDS; left > 0; left--) {
            if (!killOnce("\0" + Container.ATTEMPT + "=" + beginning)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private static boolean killOnce(String entry) {
        boolean any = false;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                any |= killOne(process, entry);
            }
        } catch (IOException _) {
            // There is no /proc: another system.
            return false;
        }
        return any;
    }

    private static boolean killOne(Path process, String entry) {
        if (!environment(process).contains(entry)) {
            return false;
        }
        // The handle knows when its process began. Read again, the variables are those of the process that it kills.
        return ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                .filter(handle -> environment(process).contains(entry))
                .map(ProcessHandle::destroyForcibly)
                .orElse(false);
    }

    /** The variables, each behind a null; empty: the process has ended, or another user's. */
    private static String environment(Path process) {
        try {
            return "\0" + new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return "";
        }
    }
}
