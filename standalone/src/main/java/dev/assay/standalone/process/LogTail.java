package dev.assay.standalone.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Log files that child processes write. */
public final class LogTail {

    private static final int TAIL_BYTES = 4_096;
    private static final int TAIL_LINES = 5;
    private static final long ROTATE_BYTES = 10_000_000;

    private LogTail() {}

    /** The last lines of {@code log} behind a colon, or a sentence that says that there are none. */
    public static String of(Path log) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long start = Math.max(0, file.length() - TAIL_BYTES);
            file.seek(start);
            byte[] bytes = new byte[(int) (file.length() - start)];
            file.readFully(bytes);
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).strip().lines().toList();
            List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
            return "Its log " + log + " ends with:\n  " + String.join("\n  ", last);
        } catch (IOException e) {
            return "Its log " + log + " cannot be read: " + e.getMessage();
        }
    }

    /** Moves a log that has grown beyond 10 MB aside, over the one that was moved aside before. */
    public static void rotate(Path log) throws IOException {
        if (Files.exists(log) && Files.size(log) > ROTATE_BYTES) {
            Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
