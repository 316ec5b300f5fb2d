package dev.assay.work.confine;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A process that ends itself while something of it goes on. */
final class EndingProcess {

    private EndingProcess() {}

    /** @param arguments its exit code */
    public static void main(String[] arguments) {
        System.setOut(new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false, StandardCharsets.UTF_8));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.print(" and more");
            System.out.flush();
        }));
        System.out.print("said");
        OwnProcess.end(Integer.parseInt(arguments[0]));
    }
}
