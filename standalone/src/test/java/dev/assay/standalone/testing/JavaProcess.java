package dev.assay.standalone.testing;

import dev.assay.standalone.postgres.PreparedCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** JVMs of their own, so that a test can kill them. */
public final class JavaProcess {

    /** System property: a directory with the product's archives, where {@link #PATH} and {@link #CACHE} lie when it is whole. */
    public static final String TRAINED = "assay.trained";

    /** The class path of the archives, in the order of the training. */
    public static final String PATH = "path";

    /** What the training recorded. */
    public static final String CACHE = "server.aot";

    private JavaProcess() {}

    /** Starts {@code main} on this JVM's class path. What it writes to stderr is shown. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        return start(main, Map.of(), arguments);
    }

    /** The same with variables beside those of this JVM. */
    public static Process start(Class<?> main, Map<String, String> environment, String... arguments)
            throws IOException {
        ProcessBuilder builder = of(main, arguments).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** {@code main} of the product, from {@link #TRAINED} if it is there, with the options that the launcher {@code assay} gives. */
    public static ProcessBuilder of(Class<?> main, String... arguments) {
        return trained()
                .orElseGet(() -> new ClassPath(System.getProperty("java.class.path"), List.of()))
                .command(main, arguments);
    }

    private static Optional<ClassPath> trained() {
        return Optional.ofNullable(System.getProperty(TRAINED))
                .map(directory -> Path.of(directory, CACHE))
                .filter(Files::exists)
                .map(cache -> {
                    try {
                        return new ClassPath(
                                Files.readString(cache.resolveSibling(PATH)), List.of("-XX:AOTCache=" + cache));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /** Where a process finds its classes, and options that only hold for these. */
    public record ClassPath(String path, List<String> options) {

        public ProcessBuilder command(Class<?> main, String... arguments) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    path,
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-Xlog:disable",
                    "-Xlog:all=error:stderr",
                    "-XX:+DisplayVMOutputToStderr"));
            command.addAll(options);
            String prepared = System.getProperty(PreparedCluster.DIRECTORY);
            if (prepared != null) {
                command.add("-D" + PreparedCluster.DIRECTORY + "=" + prepared);
            }
            command.add(main.getName());
            command.addAll(List.of(arguments));
            return new ProcessBuilder(command);
        }
    }

    /** The first line that {@code process} prints to stdout. */
    public static String firstLine(Process process) throws IOException {
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        return Objects.requireNonNull(reader.readLine(), "The process printed nothing");
    }
}
