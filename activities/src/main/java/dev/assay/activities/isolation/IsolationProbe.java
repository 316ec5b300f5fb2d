package dev.assay.activities.isolation;

import dev.assay.domain.agent.AgentCommand;
import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
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

    private static final long PATIENCE_S = 30;

    private IsolationProbe() {}

    /**
     * Starts it.
     *
     * @param room where it gets a directory
     * @param data the data directory; null: there is none
     * @param signals whether signals are closed at this level
     * @return why the level does not hold, for people; null: it does
     */
    static @Nullable String failure(ProgramIsolation.Starter starter, Path room, @Nullable Path data, boolean signals)
            throws InterruptedException {
        try {
            Path outside = Files.createTempDirectory(room, "probe-");
            try {
                Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rwx--x--x"));
                return tried(starter, outside, data, signals);
            } finally {
                Files.deleteIfExists(outside.resolve("reached"));
                Files.deleteIfExists(outside.resolve("own"));
                Files.delete(outside);
            }
        } catch (IOException e) {
            return "a program could not be started in it: " + e.getMessage();
        }
    }

    private static @Nullable String tried(
            ProgramIsolation.Starter starter, Path outside, @Nullable Path data, boolean signals)
            throws IOException, InterruptedException {
        Path own = Files.createDirectory(outside.resolve("own"));
        try (Attempt attempt = starter.begin("probe-" + outside.getFileName(), own)) {
            List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", TRIES, "assay-probe"));
            command.add(String.valueOf(ProcessHandle.current().pid()));
            command.add(data == null ? "" : data.toString());
            command.add(outside.toString());
            command.add(signals ? "closed" : "");
            return said(attempt.start(ChildProcess.seeingOnly(command, "PATH")
                    .directory(own.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)));
        }
    }

    private static @Nullable String said(Process process) throws IOException, InterruptedException {
        try {
            try (OutputStream word = process.getOutputStream()) {
                word.write('\n');
            }
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                return "a program did not end in it";
            }
            List<String> lines = new String(
                            process.getInputStream().readNBytes(AgentCommand.MAX_ARGUMENT), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            if (lines.isEmpty() || !lines.getLast().equals("done")) {
                return "a program failed in it (exit code " + process.exitValue() + ")";
            }
            return lines.size() == 1
                    ? null
                    : "a program reached " + String.join(", ", lines.subList(0, lines.size() - 1));
        } finally {
            process.destroyForcibly();
        }
    }
}
