package dev.assay.cli.terminal;

/** Whether a person looks on. */
public final class Terminal {

    private Terminal() {}

    /** Whether lines can be written over and questions asked; the launcher knows and says so. */
    public static boolean isInteractive() {
        return Boolean.getBoolean("assay.terminal");
    }

    /** Whether a person can answer; the launcher knows whether standard input is a terminal. */
    public static boolean canAsk() {
        return Boolean.getBoolean("assay.input");
    }
}
