package dev.assay.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.AccountText;
import dev.assay.cli.report.CampaignTable;
import dev.assay.cli.report.HealthText;
import dev.assay.cli.report.ProgressLine;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the progress of campaigns. */
@Command(
        name = "status",
        description = "Show what happened to a campaign and what to do next, or the progress of all unfinished ones.")
public final class StatusCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Option(names = "--json", description = "Print the API's answer as JSON: one campaign, or a list.")
    private boolean json;

    @Parameters(paramLabel = "ID", arity = "0..1", description = "The campaign. Default: all that are unfinished.")
    private @Nullable String id;

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            PrintWriter out = connect.common().out();
            if (json) {
                out.println(
                        id != null ? session.api().campaignJson(id).toPrettyString() : unfinishedJson(session.api()));
            } else if (id != null) {
                show(session.api().campaign(id), out);
            } else {
                showUnfinished(session.api(), out);
            }
            out.flush();
            return ExitCode.OK;
        }
    }

    private static List<RemoteCampaign> unfinished(AssayApi api) {
        return api.campaigns().stream()
                .filter(campaign -> !campaign.state().ended())
                .toList();
    }

    private static String unfinishedJson(AssayApi api) {
        ArrayNode items = Json.mapper().createArrayNode();
        // Lists do not say what holds each campaign up.
        unfinished(api).forEach(campaign -> items.add(api.campaignJson(campaign.id())));
        return items.toPrettyString();
    }

    private void show(RemoteCampaign view, PrintWriter out) {
        String verdict = view.verdict() == null ? "" : " " + view.verdict();
        out.println(view.state() + verdict + " " + ProgressLine.line(view, Instant.now()));
        HealthText.lines(view.health(), Instant.now()).forEach(out::println);
        CampaignAccount account = view.account();
        if (account != null) {
            out.print(new AccountText(account, view.id(), connect::pasted).text());
        }
    }

    private static void showUnfinished(AssayApi api, PrintWriter out) {
        List<RemoteCampaign> unfinished = unfinished(api);
        out.print(unfinished.isEmpty() ? "No campaign is unfinished.\n" : CampaignTable.of(unfinished));
        for (RemoteCampaign campaign : unfinished) {
            HealthText.lines(api.campaign(campaign.id()).health(), Instant.now())
                    .forEach(line -> out.println(campaign.id() + ": " + line));
        }
    }
}
