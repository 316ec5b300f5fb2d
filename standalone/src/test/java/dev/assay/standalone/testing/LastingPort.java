package dev.assay.standalone.testing;

import dev.assay.standalone.process.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Ports for what a test stops and starts again. Nothing else takes such a port in between: tests that run beside it draw others,
 * and the kernel gives connections ports above them.
 */
public final class LastingPort {

    private static final int START = 10_000;
    /** Temporal's databases hold a port in two bytes with a sign, and the kernel's own ports begin here. */
    private static final int END = Short.MAX_VALUE + 1;

    private LastingPort() {}

    /** A port on which nothing listens now. */
    public static int any() {
        return all().findFirst().orElseThrow();
    }

    /** Ports on which nothing listens now, each once. */
    public static IntStream all() {
        return new Random().ints(START, END).distinct().filter(port -> FreePort.preferring(port) == port);
    }

    /** Makes {@code directory}, whose dev server then listens on such a port and not on the one that all prefer. */
    public static Path forDevServer(Path directory) throws IOException {
        Files.createDirectories(directory);
        return Files.writeString(directory.resolve("port"), any() + "\n", StandardCharsets.UTF_8)
                .getParent();
    }
}
