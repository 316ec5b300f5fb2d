package dev.assay.cli.option;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for showing and judging a result. */
public final class ResultOptions {

    @Option(
            names = "--ci",
            description = "A gate without a suite threshold asks for its pass threshold instead of for every case.")
    private boolean ci;

    @Option(names = "--no-fail", description = "Exit 0 whatever the gate's verdict is.")
    private boolean noFail;

    @Option(names = "--json", description = "Print the summary as JSON, and nothing else, on stdout.")
    private boolean json;

    @Mixin
    private ReportOptions reports = new ReportOptions();

    /** Where reports are written. */
    public ReportOptions reports() {
        return reports;
    }

    public boolean ci() {
        return ci;
    }

    public boolean noFail() {
        return noFail;
    }

    public boolean json() {
        return json;
    }
}
