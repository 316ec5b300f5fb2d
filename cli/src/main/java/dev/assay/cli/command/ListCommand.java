package dev.assay.cli.command;

import dev.assay.cli.report.CampaignTable;
import dev.assay.cli.server.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists campaigns, newest first. */
@Command(name = "list", description = "List campaigns, newest first.")
public final class ListCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            connect.common().out().print(CampaignTable.of(session.api().campaigns()));
            connect.common().out().flush();
            return ExitCode.OK;
        }
    }
}
