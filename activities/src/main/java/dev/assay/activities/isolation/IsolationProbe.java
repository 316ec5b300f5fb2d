package dev.assay.activities.isolation;

import dev.assay.activities.container.Launch;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program of ours that is started as programs of branches are, and tries what it must not reach. */
final class IsolationProbe {

    /** Its parameters: this process, the data directory or nothing, a directory that is not its own. */
    private static final String TRIES = """
        read -r go || exit
        cat "/proc/$1/environ" >/dev/null 2>&1 && echo "this worker's environment"
        [ -n "$2" ] && ls -A "$2" >/dev/null 2>&1 && echo "the data directory"
        [ -n "$2" ] && cat "$2/endpoints.json" >/dev/null 2>&1 && echo "the logins in endpoints.json"
        ( : >"$3/reached" ) 2>/dev/null && echo "files outside its directory"
        [ -n "$4" ] && kill -0 "$1" 2>/dev/null && echo "this worker by signals"
        echo done
        """;

    /**
     * The same in a container, where processes have other numbers. Its parameters: what names this process's own numbers, the data
     * directory or nothing, a directory that is not its own, whether other networks are open. The first file is one that this worker
     * wrote. Of a bridge without a way out some runtimes take the route away, others refuse to forward.
     */
    private static final String TRIES_IN_CONTAINER = """
        read -r go || exit
        [ "$(cat mine 2>/dev/null)" = word ] && ( : >written ) || { echo "its directory is not this worker's"; exit; }
        [ "$(readlink /proc/self/ns/pid)" = "$1" ] && echo "this worker's processes"
        [ -n "$2" ] && ls -A "$2" >/dev/null 2>&1 && echo "the data directory"
        ( : >"$3/reached" ) 2>/dev/null && echo "files outside its directory"
        while read -r device directory type options more; do
            [ "$directory" = / ] && case ,$options, in *,rw,*) echo "files of its image" ;; esac
        done </proc/mounts
        while read -r name value more; do
            case $name in
                CapEff:|CapPrm:|CapBnd:) case $value in *[!0]*) echo "capabilities" ;; esac ;;
                NoNewPrivs:) [ "$value" = 1 ] || echo "further rights" ;;
            esac
        done </proc/self/status
        echo done
        """;

    private static final int SAID = 1_024;
    private static final long PATIENCE_S = 30;

    private IsolationProbe() {}

    /**
     * Starts it.
     *
     * @param data the data directory; null: there is none
     * @param signals whether signals are closed at this level
     * @return why the level does not hold, for people; null: it does
     */
    static @Nullable String failure(ProgramIsolation.Starter starter, Path room, @Nullable Path data, boolean signals)
            throws InterruptedException {
        return failure(
                starter,
                room,
                outside -> List.of(
                        TRIES,
                        String.valueOf(ProcessHandle.current().pid()),
                        data == null ? "" : data.toString(),
                        outside.toString(),
                        signals ? "closed" : ""));
    }

    /**
     * Starts it in a container.
     *
     * @return why an image cannot be used, for people; null: it can
     */
    static @Nullable String failureInContainer(ProgramIsolation.Starter starter, Path room, @Nullable Path data)
            throws InterruptedException {
        return failure(
                starter,
                room,
                outside -> List.of(
                        TRIES_IN_CONTAINER, processes(), data == null ? "" : data.toString(), outside.toString()));
    }

    /** What Linux calls the numbers of this machine's processes; empty: it has no name for them. */
    private static String processes() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException _) {
            return "";
        }
    }

    /** The shell's script and parameters, by a directory that is not its own. */
    @FunctionalInterface
    private interface Script {
        List<String> with(Path outside);
    }

    private static @Nullable String failure(ProgramIsolation.Starter starter, Path room, Script script)
            throws InterruptedException {
        try {
            Path outside = Files.createTempDirectory(room, "probe-");
            try {
                Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rwx--x--x"));
                return tried(starter, outside, script);
            } finally {
                for (String left :
                        List.of("reached", "own/work/written", "own/work/mine", "own/work", "own/home", "own")) {
                    Files.deleteIfExists(outside.resolve(left));
                }
                Files.delete(outside);
            }
        } catch (IOException e) {
            return "a program could not be started in it: " + e.getMessage();
        }
    }

    private static @Nullable String tried(ProgramIsolation.Starter starter, Path outside, Script script)
            throws IOException, InterruptedException {
        Path own = Files.createDirectory(outside.resolve("own"));
        Path work = Files.createDirectory(own.resolve("work"));
        Path home = Files.createDirectory(own.resolve("home"));
        Files.writeString(work.resolve("mine"), "word\n");
        try (Attempt attempt = starter.begin("probe-" + outside.getFileName(), own)) {
            List<String> command = new ArrayList<>(List.of("/bin/sh", "-c"));
            List<String> said = script.with(outside);
            command.add(said.getFirst());
            command.add("assay-probe");
            command.addAll(said.subList(1, said.size()));
            String path = System.getenv("PATH");
            Launch launch = attempt.launch(
                    new Launch.Program(command, path == null ? Map.of() : Map.of("PATH", path), work, work, home));
            return said(attempt.start(
                    ChildProcess.with(launch.line(), launch.environment()).directory(own.toFile())));
        }
    }

    private static @Nullable String said(Process process) throws IOException, InterruptedException {
        try {
            begin(process);
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                return "a program did not end in it";
            }
            List<String> lines = read(process.getInputStream(), AgentCommand.MAX_ARGUMENT);
            if (lines.isEmpty() || !lines.getLast().equals("done")) {
                List<String> why = lines.isEmpty() ? read(process.getErrorStream(), SAID) : lines;
                return "a program failed in it (exit code " + process.exitValue() + ")"
                        + (why.isEmpty() ? "" : ": " + why.getFirst());
            }
            return lines.size() == 1
                    ? null
                    : "a program reached " + String.join(", ", lines.subList(0, lines.size() - 1));
        } finally {
            process.destroyForcibly();
        }
    }

    private static void begin(Process process) {
        try (OutputStream word = process.getOutputStream()) {
            word.write('\n');
        } catch (IOException _) {
            // It has ended, and says why.
            return;
        }
    }

    private static List<String> read(InputStream said, int most) throws IOException {
        return new String(said.readNBytes(most), StandardCharsets.UTF_8).lines().toList();
    }
}
