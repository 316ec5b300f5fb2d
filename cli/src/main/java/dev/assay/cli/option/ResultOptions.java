package dev.assay.cli.option;

import picocli.CommandLine.Option;

/** How a result is shown and judged. */
public final class ResultOptions {

    @Option(names = "--ci", description = "Exit by the gate's thresholds instead of failing on any failed case.")
    private boolean ci;

    @Option(names = "--no-fail", description = "Exit 0 whatever the gate says.")
    private boolean noFail;

    @Option(names = "--json", description = "Print the summary as JSON, and nothing else, on stdout.")
    private boolean json;

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
