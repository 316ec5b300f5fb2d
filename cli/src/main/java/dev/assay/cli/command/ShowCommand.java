package dev.assay.cli.command;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.CampaignTable;
import dev.assay.cli.report.HealthText;
import dev.assay.cli.report.ResultTable;
import dev.assay.cli.server.ServerOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.campaign.CampaignState;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one campaign and, when it has ended, its result. */
@Command(name = "show", description = "Show one campaign and its result.")
public final class ShowCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Option(names = "--json", description = "Print what the API says.")
    private boolean json;

    @Parameters(paramLabel = "ID", description = "The campaign.")
    private String id = "";

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            PrintWriter out = connect.common().out();
            if (json) {
                out.println(session.api().campaignJson(id).toPrettyString());
            } else {
                RemoteCampaign view = session.api().campaign(id);
                out.print(CampaignTable.of(List.of(view)));
                HealthText.lines(view.health(), Instant.now()).forEach(out::println);
                if (view.state() == CampaignState.COMPLETED) {
                    out.println();
                    out.print(ResultTable.of(session.api().report(id)));
                }
            }
            out.flush();
            return ExitCode.OK;
        }
    }
}
