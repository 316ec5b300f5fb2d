package dev.assay.cli.command;

/** Exit codes beside those of {@link dev.assay.domain.report.ExitRule}. */
final class ExitCode {

    static final int OK = 0;
    static final int COULD_NOT_RUN = 1;
    static final int BAD_USAGE = 2;
    /** 128 + SIGINT. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}
