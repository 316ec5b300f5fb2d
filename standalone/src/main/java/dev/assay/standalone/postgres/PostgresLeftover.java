package dev.assay.standalone.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that a killed parent left over the data directory; {@code postmaster.pid} names it. */
final class PostgresLeftover {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresLeftover.class);

    private PostgresLeftover() {}

    /** Ends a server that still runs over {@code data}. Call it only under the data directory's lock. */
    static void stop(PostgresTools tools, Path data) throws IOException {
        Path file = PostgresServer.postmasterFile(data);
        if (!Files.exists(file)) {
            return;
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        OptionalInt pid = lines.isEmpty() ? OptionalInt.empty() : number(lines.getFirst());
        if (pid.isPresent()) {
            end(tools, data, pid.getAsInt());
        }
    }

    private static void end(PostgresTools tools, Path data, int pid) throws IOException {
        Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        if (process.isEmpty()) {
            return;
        }
        if (!serves(process.get().info(), data)) {
            // The id was given to another process since; postgres would take it for a running server and refuse to
            // start.
            Files.delete(PostgresServer.postmasterFile(data));
            return;
        }
        LOG.warn("PostgreSQL process {} was left over {} and is stopped", pid, data);
        try {
            tools.stop(data);
        } catch (IOException e) {
            // One that was being killed died before it could shut down; its data are as after a crash, which is no
            // error.
            if (process.get().isAlive()) {
                throw e;
            }
        }
    }

    /** A process that cannot be inspected is given the benefit of the doubt: PostgreSQL's own checks follow. */
    private static boolean serves(ProcessHandle.Info info, Path data) {
        return info.command().map(program -> program.endsWith("/postgres")).orElse(true)
                && info.commandLine()
                        .map(line -> line.contains(data.toString()))
                        .orElse(true);
    }

    private static OptionalInt number(String line) {
        try {
            return OptionalInt.of(Integer.parseInt(line.strip()));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }
}
