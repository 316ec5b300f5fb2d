package dev.assay.cli.command;

import dev.assay.cli.server.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Pause a campaign: what runs ends, nothing new starts. */
@Command(name = "pause", description = "Pause a campaign: what runs ends, nothing new starts.")
public final class PauseCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Parameters(paramLabel = "ID", description = "The campaign.")
    private String id = "";

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            session.api().act(id, "pause");
            connect.common().out().println("Paused %s. Go on with: assay resume %1$s".formatted(id));
            connect.common().out().flush();
            return ExitCode.OK;
        }
    }
}
