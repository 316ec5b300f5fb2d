package dev.assay.cli.command;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.ResultOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.report.ExitRule;
import dev.assay.standalone.server.ServerOptions;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Follows campaigns that others run, and changes nothing. */
@Command(
        name = "watch",
        description = "Follow campaigns to their ends and show the results. Ctrl-C ends the view, not the campaigns.")
public final class WatchCommand implements Callable<Integer> {

    /** From bad to good. */
    private static final List<Integer> CODES =
            List.of(ExitCode.COULD_NOT_RUN, ExitRule.FAILED, ExitRule.INCONCLUSIVE, ExitRule.PASSED);

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Mixin
    private ResultOptions result = new ResultOptions();

    @Parameters(paramLabel = "ID", arity = "1..*", description = "The campaigns.")
    private List<String> ids = List.of();

    @Override
    public Integer call() {
        List<String> chosen = ids.stream().distinct().toList();
        if (chosen.size() > 1 && (result.json() || result.reports().places().any())) {
            throw connect.common().badUsage("--json, --output, --junit, --html and --markdown take one campaign");
        }
        result.reports().checkPlaces();
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            List<RemoteCampaign> campaigns =
                    chosen.stream().map(session.api()::campaign).toList();
            if (session.isEmbedded()) {
                campaigns.forEach(this::refuseUnlessEnded);
            }
            Interrupts.onFirst(session::close, session::abandon);
            return watch(session, campaigns);
        }
    }

    /** Nobody works on a campaign of a directory that no process holds. */
    private void refuseUnlessEnded(RemoteCampaign campaign) {
        if (campaign.state().goesOn()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Nobody runs " + campaign.id() + " at the moment. Go on with: "
                            + connect.pasted("assay resume " + campaign.id()));
        }
    }

    private int watch(ApiSession session, List<RemoteCampaign> campaigns) {
        List<CampaignFollower> followers = campaigns.size() == 1
                ? List.of(new CampaignFollower(session, connect, result, campaigns.getFirst()))
                : campaigns.stream()
                        .map(one -> CampaignFollower.beside(session, connect, result, one))
                        .toList();
        CampaignFollower.follow(followers);
        return followers.stream()
                .map(CampaignFollower::conclude)
                .min(Comparator.comparingInt(CODES::indexOf))
                .orElse(ExitCode.OK);
    }
}
