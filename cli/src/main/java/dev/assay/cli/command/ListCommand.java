package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.option.CampaignFilter;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.CampaignTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists campaigns, newest first. */
@Command(name = "list", description = "List campaigns, newest first.")
public final class ListCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Mixin
    private CampaignFilter filter = new CampaignFilter();

    @Option(names = "--json", description = "Print the API's answer as JSON, a list.")
    private boolean json;

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.LISTER, ApiSession.Joining.ANY)) {
            PrintWriter out = connect.common().out();
            List<JsonNode> found = filter.find(session.api());
            if (json) {
                out.println(Json.mapper().createArrayNode().addAll(found).toPrettyString());
            } else if (found.isEmpty() && !filter.isEmpty()) {
                out.println("No campaign matches.");
            } else {
                out.print(CampaignTable.of(found.stream().map(AssayApi::view).toList()));
            }
            out.flush();
            return ExitCode.OK;
        }
    }
}
