package dev.assay.work.confine;

import java.io.IOException;

/** A process that hides itself unless it is told not to, and ends with its input. */
final class HiddenProcess {

    private HiddenProcess() {}

    /** @param arguments whether it hides */
    public static void main(String[] arguments) throws IOException {
        boolean hidden = Boolean.parseBoolean(arguments[0]) && OwnProcess.hide();
        System.out.println(hidden ? "hidden" : "open");
        var _ = System.in.read();
    }
}
