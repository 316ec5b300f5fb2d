package dev.assay.cli.command.scoring;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.command.OwnAgents;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.command.ApiSession;
import dev.assay.cli.command.CampaignFollower;
import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.file.PackedWorkspaces;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.OwnCodeOption;
import dev.assay.cli.option.ResultOptions;
import dev.assay.cli.report.ScoringText;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.ScoringReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Judges the stored answers of a campaign by other checks, graders or judges, and shows the result. No branch is asked. */
@Command(
        name = "rescore",
        description = "Judge the stored answers of a campaign by other checks, graders or judges. No branch is asked.")
public final class RescoreCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Mixin
    private ResultOptions result = new ResultOptions();

    @Mixin
    private OwnCodeOption ownCode = new OwnCodeOption();

    @Option(
            names = "--detach",
            description = "With a server that stays: submit, print the id, and do not wait for the end.")
    private boolean detach;

    @Parameters(index = "0", paramLabel = "CAMPAIGN", description = "The campaign whose answers are judged.")
    private String id = "";

    @Parameters(
            index = "1",
            paramLabel = "FILE",
            description = "A scoring file: checks, graders, judges, a gate, as in a campaign file.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws InterruptedException {
        CampaignFile scoring = CampaignFile.load(file);
        scoring.requireFiles();
        result.reports().checkPlaces();
        ownCode.check(scoring.document());
        try (PackedWorkspaces workspaces = PackedWorkspaces.of(scoring.document())) {
            workspaces.warnings().forEach(warning -> connect.common().err().println("Warning: " + warning));
            return run(scoring.document(), workspaces);
        }
    }

    private int run(ObjectNode document, PackedWorkspaces workspaces) {
        boolean hasServer = connect.server() != null
                || ApiSession.joinsServer(connect.common().path());
        if (detach && !hasServer) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "--detach leaves the scoring to a server that stays; start one with: " + connect.pasted("assay up")
                            + "; or name one with --server");
        }
        OwnAgents own = own(document);
        try (ApiSession session =
                ApiSession.open(connect, ServerOptions.Role.RUNNER, ApiSession.Joining.SHARED, own, null)) {
            workspaces.archives().forEach(session.api()::upload);
            RemoteCampaign submitted = session.api().rescore(id, document);
            if (own != null) {
                own.submitted(submitted.id());
            }
            PrintWriter to = detach ? connect.common().out() : connect.common().err();
            to.println("Scoring " + submitted.id() + " of " + id);
            to.flush();
            if (detach) {
                return ExitCode.OK;
            }
            CampaignFollower follower = new CampaignFollower(session, connect, result, submitted);
            follower.leaveOnInterrupt();
            RemoteCampaign end = follower.follow();
            int code = follower.conclude();
            if (!result.json() && end.state() == CampaignState.COMPLETED) {
                connect.common().out().print(ScoringText.of(session.api().scoring(end.id())));
                connect.common().out().flush();
            }
            return code;
        }
    }

    /** The own code of the file, which its user may run in a process of its own. */
    private static @Nullable OwnAgents own(ObjectNode document) {
        CodeAllowance code = ScoringReader.codeOf(document);
        return code.equals(CodeAllowance.NONE) ? null : OwnAgents.ofFile(List.of(), code);
    }
}
