package dev.assay.cli.command;

import dev.assay.cli.server.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Cancel a campaign; its results stay. */
@Command(name = "cancel", description = "Cancel a campaign; its results stay.")
public final class CancelCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Parameters(paramLabel = "ID", description = "The campaign.")
    private String id = "";

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            session.api().act(id, "cancel");
            connect.common().out().println("Cancelled %s.".formatted(id));
            connect.common().out().flush();
            return ExitCode.OK;
        }
    }
}
