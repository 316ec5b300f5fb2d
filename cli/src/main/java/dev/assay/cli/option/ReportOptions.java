package dev.assay.cli.option;

import dev.assay.cli.report.run.RunReports;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the files in which a result is written. */
public final class ReportOptions {

    /** Names the file of a step's summary on GitHub. */
    private static final String GITHUB = "GITHUB_STEP_SUMMARY";

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Write FastSkill's files of the run into a directory of its own below DIR.")
    private @Nullable Path output;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the result as JUnit's XML.")
    private @Nullable Path junit;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Write the result as Markdown; github: into the summary of the GitHub step.")
    private @Nullable String markdown;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write the result as one HTML page, which needs neither a server nor a network.")
    private @Nullable Path html;

    /** The places of reports. */
    public RunReports.Places places() {
        boolean isGithub = "github".equals(markdown);
        String summary = isGithub ? System.getenv(GITHUB) : markdown;
        return new RunReports.Places(output, junit, summary == null ? null : Path.of(summary), html, isGithub);
    }

    /**
     * Checks that the places can be written, before anything is paid for.
     *
     * @throws AssayException INVALID_INPUT when one of them cannot be written
     */
    public void checkPlaces() {
        RunReports.Places places = places();
        if ("github".equals(markdown) && places.markdown() == null) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "--markdown github needs the variable " + GITHUB + " of a GitHub step");
        }
        if (output != null) {
            try {
                Files.createDirectories(output);
            } catch (IOException e) {
                throw new AssayException(ErrorCode.INVALID_INPUT, "--output " + output + " cannot be written: " + e, e);
            }
        }
        check("--output", output, output);
        check("--junit", junit, parent(junit));
        check("--html", html, parent(html));
        check("--markdown", places.markdown(), parent(places.markdown()));
    }

    private static @Nullable Path parent(@Nullable Path file) {
        return file == null || Files.isDirectory(file)
                ? null
                : file.toAbsolutePath().getParent();
    }

    private static void check(String option, @Nullable Path named, @Nullable Path directory) {
        if (named != null && (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory))) {
            throw unwritable(option, named);
        }
    }

    private static AssayException unwritable(String option, Path named) {
        return new AssayException(ErrorCode.INVALID_INPUT, option + " " + named + " cannot be written");
    }
}
