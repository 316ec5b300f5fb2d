package dev.assay.cli.terminal;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** The report of a failed command: the reason on stderr, and an exit code. */
public final class ErrorReport implements CommandLine.IExecutionExceptionHandler {

    /** The number of errors that are shown one by one. */
    private static final int SHOWN = 100;

    private static final Logger LOG = LoggerFactory.getLogger(ErrorReport.class);

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        Interrupts.stayIfInterrupted();
        PrintWriter err = command.getErr();
        int code;
        if (failure instanceof AssayException known) {
            write(known, err);
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

    static void write(AssayException failure, PrintWriter err) {
        for (FieldError error :
                failure.errors().subList(0, Math.min(SHOWN, failure.errors().size()))) {
            err.println(error.path().isEmpty() ? error.message() : error.path() + ": " + error.message());
        }
        int more = failure.moreErrors() + Math.max(0, failure.errors().size() - SHOWN);
        if (more > 0) {
            err.println("… and " + more + (more == 1 ? " more error." : " more errors."));
        }
        int count = failure.errors().size() + failure.moreErrors();
        String code = failure.code() == ErrorCode.INVALID_INPUT ? "" : failure.code() + ": ";
        err.println(
                count == 0
                        ? "assay: " + failure.getMessage()
                        : "assay: " + code + count + (count == 1 ? " error; " : " errors; ")
                                + "nothing was stored or started.");
    }

    static int exitCode(ErrorCode code) {
        return code == ErrorCode.INVALID_INPUT || code == ErrorCode.MALFORMED_INPUT
                ? ExitCode.BAD_USAGE
                : ExitCode.COULD_NOT_RUN;
    }

    private static boolean isVerbose(CommandLine.ParseResult parsed) {
        CommandLine.ParseResult innermost = parsed;
        while (innermost.hasSubcommand()) {
            innermost = innermost.subcommand();
        }
        return System.getenv("ASSAY_DEBUG") != null || innermost.hasMatchedOption("--verbose");
    }
}
