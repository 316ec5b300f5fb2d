package dev.assay.cli.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** CPU that a server has taken so far, with the PostgreSQL that it started. */
final class CpuTime {

    private CpuTime() {}

    /**
     * Seconds of a server's process and of its PostgreSQL.
     *
     * @param data the server's data directory, which says which process PostgreSQL is
     */
    static double seconds(ProcessHandle server, Path data) throws IOException {
        ProcessHandle postgres;
        try (Stream<Path> files = Files.find(data, 4, (file, _) -> file.endsWith("postmaster.pid"))) {
            Path file = files.findFirst().orElseThrow();
            postgres = ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst()))
                    .orElseThrow();
        }
        return Stream.of(Stream.of(server, postgres), postgres.descendants())
                        .flatMap(processes -> processes)
                        .flatMap(process -> process.info().totalCpuDuration().stream())
                        .mapToDouble(Duration::toMillis)
                        .sum()
                / 1e3;
    }
}
