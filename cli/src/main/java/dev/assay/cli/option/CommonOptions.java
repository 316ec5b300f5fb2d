package dev.assay.cli.option;

import dev.assay.activities.operator.UserHome;
import dev.assay.cli.terminal.ShellWord;
import dev.assay.standalone.server.DataDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that every command takes. */
public final class CommonOptions {

    private static final String DIRECTORY = ".assay";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Directory of the embedded stores. Default: ASSAY_DATA, else ~/.assay.")
    private @Nullable Path data;

    // The report of errors asks the parsed command line for it.
    @SuppressWarnings("UnusedVariable")
    @Option(names = "--verbose", description = "Show stack traces of errors.")
    private boolean verbose;

    private boolean toldOfOther;

    /** The directory's path; it may not exist. */
    public Path path() {
        if (data != null) {
            if (data.toString().isBlank()) {
                throw badUsage("--data must name a directory, but is empty");
            }
            return data;
        }
        String named = System.getenv("ASSAY_DATA");
        return named == null || named.isEmpty() ? inHome() : Path.of(named);
    }

    private Path inHome() {
        Path other = UserHome.overlooked(DIRECTORY);
        Path used = UserHome.directory().resolve(DIRECTORY);
        if (other != null && !toldOfOther) {
            toldOfOther = true;
            err().println("Assay uses " + used + ", after HOME. There is another one, " + other
                    + "; --data or ASSAY_DATA names it.");
            err().flush();
        }
        return used;
    }

    /** The option that names the directory, with a blank before it; empty where it was not given. */
    String dataOption() {
        return data == null ? "" : " --data " + ShellWord.of(data.toString());
    }

    /** The directory, made if there is none. */
    public DataDirectory directory() {
        return DataDirectory.open(path());
    }

    /** The error of a wrong option: shown with the command's usage, exit code 2. */
    public ParameterException badUsage(String sentence) {
        return new ParameterException(spec().commandLine(), sentence + ".");
    }

    /** Standard output. */
    public PrintWriter out() {
        return spec().commandLine().getOut();
    }

    /** Standard error. */
    public PrintWriter err() {
        return spec().commandLine().getErr();
    }

    /** The command as the user typed its name, as in {@code assay run}. */
    public String commandName() {
        return spec().commandLine().getCommandSpec().qualifiedName();
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("Options are read before the command line was parsed");
        }
        return spec;
    }
}
