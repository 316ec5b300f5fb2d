package dev.assay.cli.command;

import dev.assay.standalone.server.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Cancel campaigns; their results stay. */
@Command(name = "cancel", description = "Cancel campaigns; their results stay.")
public final class CancelCommand implements Callable<Integer> {

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
                    session, new BulkSteering.Change("cancel", view -> "Cancelled " + view.id() + "."), json);
        }
    }
}
