package dev.assay.cli.command;

import dev.assay.cli.client.CampaignView;
import dev.assay.cli.server.ServerOptions;
import dev.assay.domain.campaign.CampaignState;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Goes on with a campaign that was paused, cancelled, or cut off, and shows the result. */
@Command(name = "resume", description = "Go on with a campaign and show the result.")
public final class ResumeCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Mixin
    private ResultOptions result = new ResultOptions();

    @Option(names = "--detach", description = "With a server that stays: do not wait for the end.")
    private boolean detach;

    @Parameters(paramLabel = "ID", description = "The campaign.")
    private String id = "";

    private void resume(ApiSession session) {
        if (session.api().campaign(id).state() != CampaignState.COMPLETED) {
            session.api().act(id, "resume");
        }
    }

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.RUNNER, ApiSession.Joining.SHARED)) {
            resume(session);
            if (detach && !session.isEmbedded()) {
                return ExitCode.OK;
            }
            CampaignFollower follower = new CampaignFollower(session, connect.common(), result);
            follower.pauseOnInterrupt(id);
            CampaignView view = follower.follow(session.api().campaign(id));
            CampaignView.Gate gate = view.gate();
            return follower.conclude(view, gate != null && gate.suiteThreshold() != null);
        }
    }
}
