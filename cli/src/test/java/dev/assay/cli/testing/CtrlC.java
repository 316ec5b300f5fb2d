package dev.assay.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a terminal sends to a process when a person types Ctrl-C. */
public final class CtrlC {

    private static final int SIGINT = 2;

    private CtrlC() {}

    /** Sends it. */
    public static void to(Process process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Whether a process ignores it. A background job of a shell does, and so does every process that it starts. */
    public static boolean isIgnoredBy(Process process) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return false;
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("SigIgn:"))
                    .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .anyMatch(ignored -> (ignored & 1L << (SIGINT - 1)) != 0);
        }
    }
}
