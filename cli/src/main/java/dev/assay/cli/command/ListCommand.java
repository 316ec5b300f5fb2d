package dev.assay.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.CampaignTable;
import dev.assay.cli.server.ServerOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.json.Json;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists campaigns, newest first. */
@Command(name = "list", description = "List campaigns, newest first.")
public final class ListCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Option(names = "--json", description = "Print a list of what the API says.")
    private boolean json;

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            PrintWriter out = connect.common().out();
            if (json) {
                ArrayNode items = Json.mapper().createArrayNode();
                session.api().campaignsJson(items::add);
                out.println(items.toPrettyString());
            } else {
                out.print(CampaignTable.of(session.api().campaigns()));
            }
            out.flush();
            return ExitCode.OK;
        }
    }
}
