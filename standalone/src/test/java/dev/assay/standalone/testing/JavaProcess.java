package dev.assay.standalone.testing;

import dev.assay.standalone.postgres.PreparedCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** JVMs of their own, so that a test can kill them. */
public final class JavaProcess {

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

    /** {@code main} on this JVM's class path, to be started with the options that the launcher {@code assay} gives. */
    public static ProcessBuilder of(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+DisplayVMOutputToStderr"));
        String prepared = System.getProperty(PreparedCluster.DIRECTORY);
        if (prepared != null) {
            command.add("-D" + PreparedCluster.DIRECTORY + "=" + prepared);
        }
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /** The first line that {@code process} prints to stdout. */
    public static String firstLine(Process process) throws IOException {
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        return Objects.requireNonNull(reader.readLine(), "The process printed nothing");
    }
}
