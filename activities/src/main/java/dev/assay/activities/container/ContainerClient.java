package dev.assay.activities.container;

import dev.assay.domain.isolation.ContainerRuntime;
import dev.assay.work.child.ChildProcess;
import dev.assay.work.confine.ConfinedStart;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command of a runtime of containers. A call of it ends in time, also where the runtime's daemon is frozen. */
final class ContainerClient {

    /** Variables of the worker by which the command finds its daemon and its configuration. */
    private static final Set<String> PASSED_ON = Set.of(
            "PATH",
            "HOME",
            "DOCKER_HOST",
            "DOCKER_CONTEXT",
            "DOCKER_CONFIG",
            "DOCKER_CERT_PATH",
            "DOCKER_TLS_VERIFY",
            "DOCKER_API_VERSION",
            "CONTAINER_HOST",
            "CONTAINERS_CONF",
            "DBUS_SESSION_BUS_ADDRESS",
            "XDG_RUNTIME_DIR",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME");

    private static final int SAID = 65_536;

    private final ContainerRuntime runtime;
    private final String program;
    private final Map<String, String> environment;
    private final Duration patience;

    /** The end of a call. */
    record Answer(int exitCode, String text) {

        /** Whether the runtime did what it was asked for. */
        boolean isDone() {
            return exitCode == 0;
        }

        /** The last line, where the command says why it failed. */
        String why() {
            return text.lines().filter(line -> !line.isBlank()).reduce("nothing", (before, line) -> line);
        }
    }

    private ContainerClient(
            ContainerRuntime runtime, String program, Map<String, String> environment, Duration patience) {
        this.runtime = runtime;
        this.program = program;
        this.environment = environment;
        this.patience = patience;
    }

    /**
     * Finds the command on the worker's {@code PATH}.
     *
     * @param patience the longest time that a call may take
     * @throws IOException when it is not there
     */
    static ContainerClient find(ContainerRuntime runtime, Map<String, String> environment, Duration patience)
            throws IOException {
        String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
        String program = Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory).resolve(runtime.word()).toAbsolutePath())
                .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                .findFirst()
                .orElseThrow(() -> new IOException(runtime.word() + " is not on the worker's PATH"))
                .toString();
        Map<String, String> own = environment.entrySet().stream()
                .filter(variable -> PASSED_ON.contains(variable.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));
        return new ContainerClient(runtime, program, own, patience);
    }

    ContainerRuntime runtime() {
        return runtime;
    }

    /** The path of the command. */
    String program() {
        return program;
    }

    /** The variables that the command itself reads. */
    Map<String, String> environment() {
        return environment;
    }

    /**
     * Calls the command. A caller that is interrupted waits all the same, and stays interrupted.
     *
     * @throws IOException when it could not be started, or did not end in time
     */
    Answer call(List<String> arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(program));
        line.addAll(arguments);
        ProcessBuilder builder = ChildProcess.with(line, environment)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        Process process = ConfinedStart.startFree(builder);
        try {
            if (!hasEnded(process)) {
                throw new IOException("%s does not answer within %d s".formatted(runtime.word(), patience.toSeconds()));
            }
            String text = new String(process.getInputStream().readNBytes(SAID), StandardCharsets.UTF_8);
            return new Answer(process.exitValue(), text);
        } finally {
            process.destroyForcibly();
        }
    }

    private boolean hasEnded(Process process) {
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + patience.toNanos();
        boolean ended = false;
        long left = patience.toNanos();
        while (!ended && left > 0) {
            try {
                ended = process.waitFor(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                interrupted = true;
            }
            left = deadline - System.nanoTime();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return ended;
    }
}
