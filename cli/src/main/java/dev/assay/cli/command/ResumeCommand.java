package dev.assay.cli.command;

import dev.assay.activities.command.OwnAgents;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.IsolationOption;
import dev.assay.cli.option.ResultOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Resumes campaigns that were paused, cancelled, or cut off. With one it shows the result; it leaves several to the server. */
@Command(
        name = "resume",
        description = "Resume a campaign and show the result, or several and leave them to the server.")
public final class ResumeCommand implements Callable<Integer> {

    @Mixin
    private BulkSteering campaigns = new BulkSteering();

    @Mixin
    private ResultOptions result = new ResultOptions();

    @Mixin
    private IsolationOption isolation = new IsolationOption();

    @Option(names = "--detach", description = "With a server that stays: do not wait for the end.")
    private boolean detach;

    @Override
    public Integer call() {
        campaigns.check();
        result.reports().checkPlaces();
        try (ApiSession session = ApiSession.open(
                campaigns.connect(),
                ServerOptions.Role.RUNNER,
                ApiSession.Joining.SHARED,
                campaigns.isOne() ? OwnAgents.ofCampaign(campaigns.id()) : null,
                isolation.level())) {
            if (session.isolation() != null) {
                campaigns.connect().common().err().println(session.isolation());
            }
            return campaigns.isOne() ? one(session, campaigns.id()) : several(session);
        }
    }

    private int several(ApiSession session) {
        if (session.isEmbedded()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Several campaigns go on only with a server that stays; start one with: "
                            + campaigns.connect().pasted("assay up") + "; or resume one campaign");
        }
        BulkSteering.Change change =
                new BulkSteering.Change("resume", view -> "Resumed " + view.id() + "; it is " + view.state() + ".");
        return campaigns.steer(session, change, result.json());
    }

    private int one(ApiSession session, String id) {
        resume(session, id);
        if (detach && !session.isEmbedded()) {
            return ExitCode.OK;
        }
        CampaignFollower follower = new CampaignFollower(
                session, campaigns.connect(), result, session.api().campaign(id));
        follower.leaveOnInterrupt();
        var _ = follower.follow();
        return follower.conclude();
    }

    private void resume(ApiSession session, String id) {
        RemoteCampaign view = AssayApi.view(session.api().act(id, "resume"));
        if (view.state() == CampaignState.COMPLETED) {
            PrintWriter err = campaigns.connect().common().err();
            err.println("Campaign " + id + " is COMPLETED and nothing of it is open. More trials: "
                    + campaigns.connect().pasted("assay set " + id + " --trials N") + "; what did not pass again: "
                    + campaigns.connect().pasted("assay rerun " + id));
            err.flush();
        }
    }
}
