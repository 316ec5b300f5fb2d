package dev.assay.standalone.postgres;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** PostgreSQL's programs, and the prefix that lets them run for root. */
final class PostgresTools {

    private static final int COMMAND_SECONDS = 120;

    private final Path directory;
    private final List<String> prefix;

    PostgresTools(Path directory) {
        this.directory = directory;
        this.prefix = "root".equals(System.getProperty("user.name")) ? prefixForRoot() : List.of();
    }

    Path executable(String name) {
        return directory.resolve("bin").resolve(name);
    }

    /** PostgreSQL refuses to run as root. In a user namespace of its own it sees an ordinary user, and the files stay root's. */
    private static List<String> prefixForRoot() {
        Optional<Path> unshare = DetachedCommand.onPath("unshare");
        if (unshare.isPresent() && succeeds(List.of(unshare.get().toString(), "-U", "true"))) {
            return List.of(unshare.get().toString(), "-U");
        }
        throw new AssayException(
                ErrorCode.STORE_UNAVAILABLE,
                "PostgreSQL does not run as root and this machine allows no user namespace (unshare -U). Run assay as"
                        + " an ordinary user, or name a server with"
                        + " ASSAY_DATABASE_URL=postgresql://user:password@host/assay");
    }

    List<String> asOrdinaryUser(List<String> command) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(command);
        return all;
    }

    /** Stops the server over {@code data}, whichever process started it, and waits until it has ended. */
    void stop(Path data) throws IOException {
        stop(data, "-w", "-t", "30");
    }

    /** As {@link #stop}, and waits for nothing: pg_ctl looks each 100 ms only. */
    void requestStop(Path data) throws IOException {
        stop(data, "-W");
    }

    private void stop(Path data, String... wait) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(executable("pg_ctl").toString(), "stop", "-D", data.toString(), "-m", "fast"));
        command.addAll(List.of(wait));
        run(command);
    }

    /**
     * Runs statements on a cluster that no server has open. No password is asked for, and none stands on a command line.
     *
     * @throws IOException with PostgreSQL's words when one fails
     */
    void alone(Path data, String database, String... statements) throws IOException {
        run(
                List.of(
                        executable("postgres").toString(),
                        "--single",
                        "-D",
                        data.toString(),
                        "-c",
                        "exit_on_error=on",
                        "-c",
                        "log_min_error_statement=panic",
                        database),
                String.join("\n", statements) + "\n");
    }

    /**
     * Runs one of the programs to its end.
     *
     * @throws IOException with its output when it fails
     */
    void run(List<String> command) throws IOException {
        run(command, "");
    }

    private void run(List<String> command, String input) throws IOException {
        Process process = ChildProcess.of(asOrdinaryUser(command))
                .redirectErrorStream(true)
                .start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (await(process) != 0) {
            throw new IOException(command.getFirst() + " failed: " + output.strip());
        }
    }

    private static boolean succeeds(List<String> command) {
        try {
            return await(ChildProcess.of(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start())
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static int await(Process process) throws IOException {
        try {
            if (process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            throw new IOException("No end after " + COMMAND_SECONDS + " s");
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }
}
