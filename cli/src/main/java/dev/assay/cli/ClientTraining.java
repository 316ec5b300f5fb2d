package dev.assay.cli;

import dev.assay.work.confine.OwnProcess;
import java.util.List;
import picocli.CommandLine;

/**
 * A training run of the JVM for commands that start no server, beside {@link WarmUp}. They need few of a server's classes, and the JVM
 * loads at once whatever was recorded.
 */
public final class ClientTraining {

    private ClientTraining() {}

    /** The arguments are the data directory of a server that runs, a campaign that it has, and a campaign file. */
    public static void main(String[] arguments) {
        String data = arguments[0];
        String campaign = arguments[1];
        String file = arguments[2];
        OwnProcess.hide();
        CommandLine assay = Assay.commandLine();
        for (List<String> command : List.of(
                List.of("--help"),
                List.of("version"),
                List.of("validate", file),
                List.of("list", "--data", data),
                List.of("show", campaign, "--data", data),
                List.of("status", campaign, "--data", data),
                List.of("watch", campaign, "--data", data),
                List.of("run", file, "--data", data))) {
            assay.execute(command.toArray(String[]::new));
        }
        System.exit(0);
    }
}
