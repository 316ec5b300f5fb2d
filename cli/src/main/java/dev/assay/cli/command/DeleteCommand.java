package dev.assay.cli.command;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.CampaignTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Terminal;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes campaigns that have ended, after asking. */
@Command(name = "delete", description = "Delete campaigns that have ended, with their results; it cannot be undone.")
public final class DeleteCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Parameters(paramLabel = "ID", arity = "1..*", description = "The campaigns.")
    private List<String> ids = List.of();

    @Override
    public Integer call() {
        if (!yes && !Terminal.canAsk()) {
            throw connect.common().badUsage("There is no terminal to ask whether to delete; give --yes");
        }
        List<String> chosen = ids.stream().distinct().toList();
        PrintWriter out = connect.common().out();
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            AssayApi api = session.api();
            if (!yes && !agreed(chosen.stream().map(api::campaign).toList())) {
                return ExitCode.COULD_NOT_RUN;
            }
            for (String id : chosen) {
                api.delete(id);
                out.println("Deleted " + id + ".");
                out.flush();
            }
            return ExitCode.OK;
        }
    }

    private boolean agreed(List<RemoteCampaign> campaigns) {
        PrintWriter err = connect.common().err();
        err.println(CampaignTable.of(campaigns).stripTrailing());
        return Terminal.agrees(
                "Delete " + (campaigns.size() == 1 ? "this campaign" : "these " + campaigns.size() + " campaigns")
                        + " with all results? It cannot be undone.",
                err);
    }
}
