package dev.assay.cli.command;

import dev.assay.standalone.server.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Pause campaigns: calls in flight finish, nothing new starts. */
@Command(name = "pause", description = "Pause campaigns: calls in flight finish, nothing new starts.")
public final class PauseCommand implements Callable<Integer> {

    @Mixin
    private BulkSteering campaigns = new BulkSteering();

    @Option(
            names = "--json",
            description = "Print the campaign as the API shows it; of several a list, with an error where one failed.")
    private boolean json;

    @Override
    public Integer call() {
        campaigns.check();
        try (ApiSession session =
                ApiSession.open(campaigns.connect(), ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            return campaigns.steer(
                    session,
                    new BulkSteering.Change(
                            "pause",
                            view -> "Paused " + view.id() + ". Go on with: "
                                    + campaigns.connect().pasted("assay resume " + view.id())),
                    json);
        }
    }
}
