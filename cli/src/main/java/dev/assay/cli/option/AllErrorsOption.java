package dev.assay.cli.option;

import picocli.CommandLine.Option;

/** The option of commands that read files: what they say of them is one line for each sentence, or for each place. */
public final class AllErrorsOption {

    @Option(
            names = "--all-errors",
            description = "Print each error, warning and note of the file with its place. Default: each sentence once,"
                    + " with its first three places.")
    private boolean each;

    /** Whether each has a line of its own. */
    public boolean each() {
        return each;
    }
}
