package dev.assay.cli.command;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.ResultOptions;
import dev.assay.cli.server.ServerOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.campaign.CampaignState;
import java.io.PrintWriter;
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
        RemoteCampaign view = AssayApi.view(session.api().act(id, "resume"));
        if (view.state() == CampaignState.COMPLETED) {
            PrintWriter err = connect.common().err();
            err.println("Campaign " + id + " is COMPLETED and nothing of it is open. More trials: assay set " + id
                    + " --trials N; what did not pass again: assay rerun " + id);
            err.flush();
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
            RemoteCampaign view = follower.follow(session.api().campaign(id));
            RemoteCampaign.Gate gate = view.gate();
            return follower.conclude(view, gate != null && gate.suiteThreshold() != null);
        }
    }
}
