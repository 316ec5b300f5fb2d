package dev.assay.cli.terminal;

/** Exit codes beside those of {@link dev.assay.domain.report.ExitRule}. */
public final class ExitCode {

    public static final int OK = 0;
    public static final int COULD_NOT_RUN = 1;
    public static final int BAD_USAGE = 2;
    /** 128 + SIGINT. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
