package dev.assay.cli.report.run;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The directory of one run, named after the time at which it began (docs/fastskill.md). */
final class RunDirectory {

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'").withZone(ZoneOffset.UTC);

    private RunDirectory() {}

    /** Makes the directory below {@code output}; a number follows its name where that name is taken. */
    static Path make(Path output, Instant begin) throws IOException {
        Files.createDirectories(output);
        String name = NAME.format(begin);
        for (int n = 1; ; n++) {
            try {
                return Files.createDirectory(output.resolve(n == 1 ? name : name + "-" + n));
            } catch (FileAlreadyExistsException taken) {
                // By an earlier run, or one that begins at the same time.
            }
        }
    }
}
