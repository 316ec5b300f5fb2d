package dev.assay.cli.command;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.CampaignView;
import dev.assay.cli.report.CampaignTable;
import dev.assay.cli.report.HealthText;
import dev.assay.cli.report.ProgressText;
import dev.assay.cli.server.ServerOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says how far campaigns are. */
@Command(name = "status", description = "Say how far a campaign is, or all that are unfinished.")
public final class StatusCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Parameters(paramLabel = "ID", arity = "0..1", description = "The campaign. Default: all that are unfinished.")
    private @Nullable String id;

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            PrintWriter out = connect.common().out();
            if (id != null) {
                CampaignView view = session.api().campaign(id);
                out.println(view.state() + " "
                        + ProgressText.line(view, Duration.ZERO, view.progress().cellsDone()));
                HealthText.lines(view.health(), Instant.now()).forEach(out::println);
            } else {
                showUnfinished(session.api(), out);
            }
            out.flush();
            return ExitCode.OK;
        }
    }

    private static void showUnfinished(AssayApi api, PrintWriter out) {
        List<CampaignView> unfinished = api.campaigns().stream()
                .filter(campaign -> !campaign.state().ended())
                .toList();
        out.print(unfinished.isEmpty() ? "No campaign is unfinished.\n" : CampaignTable.of(unfinished));
        for (CampaignView campaign : unfinished) {
            // Lists do not say what holds each campaign up.
            HealthText.lines(api.campaign(campaign.id()).health(), Instant.now())
                    .forEach(line -> out.println(campaign.id() + ": " + line));
        }
    }
}
