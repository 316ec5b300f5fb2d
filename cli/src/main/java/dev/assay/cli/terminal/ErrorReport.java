package dev.assay.cli.terminal;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** The report of a failed command: the reason on stderr, and an exit code. */
public final class ErrorReport implements CommandLine.IExecutionExceptionHandler {

    /** The number of kinds of errors that are shown. */
    private static final int SHOWN = 100;

    private static final Logger LOG = LoggerFactory.getLogger(ErrorReport.class);

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        Interrupts.stayIfInterrupted();
        PrintWriter err = command.getErr();
        int code;
        if (failure instanceof AssayException known) {
            write(known, has(parsed, "--all-errors"), err);
            code = exitCode(known.code());
        } else {
            LOG.info("Unexpected error", failure);
            err.println("assay: Unexpected error: " + failure + ". Run again with --verbose for details.");
            code = ExitCode.COULD_NOT_RUN;
        }
        if (isVerbose(parsed)) {
            failure.printStackTrace(err);
        }
        err.flush();
        return code;
    }

    /** @param each whether each error has a line of its own */
    static void write(AssayException failure, boolean each, PrintWriter err) {
        List<FieldError> errors = failure.errors();
        ErrorGroups groups = ErrorGroups.of(errors);
        int named = each ? errors.size() : Math.min(SHOWN, groups.groups().size());
        ErrorGroups.lines(errors, each).subList(0, named).forEach(err::println);
        int unnamed = each
                ? 0
                : groups.groups().stream()
                        .skip(named)
                        .mapToInt(ErrorGroups.Group::count)
                        .sum();
        int more = failure.moreErrors() + unnamed;
        if (more > 0) {
            err.println(String.format(Locale.ROOT, "… and %,d more %s.", more, more == 1 ? "error" : "errors"));
        }
        String code = failure.code() == ErrorCode.INVALID_INPUT ? "" : failure.code() + ": ";
        err.println(
                errors.isEmpty()
                        ? "assay: " + failure.getMessage()
                        : "assay: " + code + count(failure, groups.groups().size())
                                + "; nothing was stored or started.");
    }

    private static String count(AssayException failure, int kinds) {
        int count = failure.errors().size() + failure.moreErrors();
        return count == 1
                ? "1 error"
                : String.format(
                        Locale.ROOT,
                        "%,d errors of %s%,d %s",
                        count,
                        failure.moreErrors() > 0 ? "at least " : "",
                        kinds,
                        kinds == 1 ? "kind" : "kinds");
    }

    static int exitCode(ErrorCode code) {
        return code == ErrorCode.INVALID_INPUT || code == ErrorCode.MALFORMED_INPUT
                ? ExitCode.BAD_USAGE
                : ExitCode.COULD_NOT_RUN;
    }

    private static boolean isVerbose(CommandLine.ParseResult parsed) {
        return System.getenv("ASSAY_DEBUG") != null || has(parsed, "--verbose");
    }

    private static boolean has(CommandLine.ParseResult parsed, String option) {
        CommandLine.ParseResult innermost = parsed;
        while (innermost.hasSubcommand()) {
            innermost = innermost.subcommand();
        }
        return innermost.hasMatchedOption(option);
    }
}
