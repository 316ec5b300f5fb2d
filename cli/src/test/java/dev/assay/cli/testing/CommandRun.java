package dev.assay.cli.testing;

import dev.assay.cli.Assay;
import dev.assay.cli.terminal.TerminalWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * One command that ran in this JVM.
 *
 * @param code its exit code
 * @param out what it wrote to stdout
 * @param err what it wrote to stderr
 */
public record CommandRun(int code, String out, String err) {

    /** Runs {@code assay} with these arguments. */
    public static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Assay.commandLine().setOut(new TerminalWriter(out)).setErr(new TerminalWriter(err));
        int code = command.execute(arguments);
        return new CommandRun(code, out.toString(), err.toString());
    }
}
