package dev.assay.cli.command;

/** Whether a person looks on. */
final class Terminal {

    private Terminal() {}

    /** Whether lines can be written over and questions asked; the launcher knows and says so. */
    static boolean isInteractive() {
        return Boolean.getBoolean("assay.terminal");
    }

    /** Whether a person can answer; the launcher knows whether standard input is a terminal. */
    static boolean canAsk() {
        return Boolean.getBoolean("assay.input");
    }
}
