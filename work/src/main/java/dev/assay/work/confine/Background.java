package dev.assay.work.confine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Processes that leave the processors to others. */
public final class Background {

    /** A third of the share of others. With much less, what is allowed to take long would not end in its time. */
    private static final int BEHIND = 5;

    private Background() {}

    /**
     * Puts a process of this user behind others, for good: only root could bring it back. Threads that it starts later inherit that
     * from their starters. Does nothing on other systems than Linux.
     *
     * @throws IOException when it has ended, or is another user's
     */
    public static void move(long pid) throws IOException {
        if (!System.getProperty("os.name").equals("Linux")) {
            return;
        }
        // For Linux a priority is a thread's.
        for (int thread : threads(pid)) {
            NativeCalls.checked(
                    NativeCalls.addNice(thread, BEHIND), "The priority of process " + pid + " was not changed");
        }
    }

    private static List<Integer> threads(long pid) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return tasks.map(task -> Integer.valueOf(task.getFileName().toString()))
                    .toList();
        }
    }
}
