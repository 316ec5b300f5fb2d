package dev.assay.cli.terminal;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Scanner;

/** The terminal of a command: whether a person looks on, and what that person says. */
public final class Terminal {

    private Terminal() {}

    /** Whether lines can be written over and questions asked; the launcher knows and says so. */
    public static boolean isInteractive() {
        return Boolean.getBoolean("assay.terminal");
    }

    /** The width of the terminal when the command began; without a terminal no text is too wide. */
    public static int columns() {
        int columns = Integer.getInteger("assay.columns", 0);
        return isInteractive() && columns > 0 ? columns : Integer.MAX_VALUE;
    }

    /** Whether a person can answer; the launcher knows whether standard input is a terminal. */
    public static boolean canAsk() {
        return Boolean.getBoolean("assay.input");
    }

    /** Asks the person; no answer is no. */
    public static boolean agrees(String question, PrintWriter err) {
        err.print(question + " [y/N] ");
        err.flush();
        Scanner input = new Scanner(System.in, Charset.defaultCharset());
        String answer = input.hasNextLine() ? input.nextLine() : "";
        return answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }
}
