package dev.assay.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.command.OwnAgents;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.file.Overrides;
import dev.assay.cli.file.OwnCodeCheck;
import dev.assay.cli.file.PackedWorkspaces;
import dev.assay.cli.option.AgentOptions;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.CostConsent;
import dev.assay.cli.option.IsolationOption;
import dev.assay.cli.option.OverrideOptions;
import dev.assay.cli.option.ResultOptions;
import dev.assay.cli.report.CampaignSize;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.server.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a campaign file or a FastSkill folder to its end and shows the result. */
@Command(name = "run", description = "Run a campaign file or a FastSkill folder and show the result.")
public final class RunCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Mixin
    private OverrideOptions changes = new OverrideOptions();

    @Mixin
    private ResultOptions result = new ResultOptions();

    @Mixin
    private CostConsent consent = new CostConsent();

    @Option(names = "--record", paramLabel = "FILE", description = "Write the answers to a cassette that replays them.")
    private @Nullable Path record;

    @Option(
            names = "--detach",
            description = "With a server that stays: submit, print the id, and do not wait for the end.")
    private boolean detach;

    @Mixin
    private AgentOptions agents = new AgentOptions();

    @Mixin
    private IsolationOption isolation = new IsolationOption();

    @Parameters(
            paramLabel = "FILE",
            description =
                    "A campaign file, a directory that holds campaign.yaml, a FastSkill folder, a configuration of"
                            + " promptfoo, or samples as Inspect has them (CSV, JSON, JSON Lines).")
    private Path file = Path.of("");

    private List<String> leftOut = List.of();

    @Override
    public Integer call() throws InterruptedException {
        CampaignFile campaign = agents.load(file, connect.common().path());
        changes.overrides().apply(campaign.document());
        leftOut = changes.overrides().leaveOutReducers(campaign.document());
        if (!result.ci()) {
            Overrides.askForEveryCase(campaign.document());
        }
        checkDetached();
        checkRecordPlace();
        result.reports().checkPlaces();
        OwnCodeCheck code = OwnCodeCheck.of(campaign);
        try (PackedWorkspaces workspaces = PackedWorkspaces.of(campaign.document())) {
            return run(campaign, workspaces, code);
        }
    }

    private int run(CampaignFile campaign, PackedWorkspaces workspaces, OwnCodeCheck code) throws InterruptedException {
        boolean hasServer = connect.server() != null
                || ApiSession.joinsServer(connect.common().path());
        if (detach && !hasServer) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "--detach leaves the campaign to a server that stays; start one with: " + connect.pasted("assay up")
                            + "; or name one with --server");
        }
        CampaignSize size = size(campaign, hasServer);
        if (size != null || CampaignReader.mayStartProcesses(campaign.document())) {
            agents.ownCode().check(campaign.document());
        }
        if (size != null && agents.ownCode().loads()) {
            code.check(size.submission());
        }
        printNotes(campaign, workspaces);
        if (size != null && !hasServer && !consent.given(size, connect.common().err())) {
            return ExitCode.COULD_NOT_RUN;
        }
        OwnAgents own = size == null || connect.server() != null ? null : CampaignCheck.ownAgents(size.submission());
        try (ApiSession session = ApiSession.open(
                connect, ServerOptions.Role.RUNNER, ApiSession.Joining.SHARED, own, isolation.level())) {
            if (size != null && hasServer && !isAgreed(session, campaign.document(), size)) {
                return ExitCode.COULD_NOT_RUN;
            }
            nameUnfinished(session);
            if (session.isolation() != null) {
                connect.common().err().println(session.isolation());
            }
            workspaces.archives().forEach(session.api()::upload);
            return run(session, campaign.document(), own);
        }
    }

    /** Says what is left out, once no error of the file is known. */
    private void printNotes(CampaignFile campaign, PackedWorkspaces workspaces) {
        PrintWriter err = connect.common().err();
        agents.lines(campaign.report()).forEach(err::println);
        agents.ownCode().notes().forEach(err::println);
        if (!leftOut.isEmpty()) {
            err.println("Left out, for they need more trials than --trials: " + String.join(", ", leftOut));
        }
        workspaces.warnings().forEach(warning -> err.println("Warning: " + warning));
    }

    /**
     * The size of the campaign, without prices where a server has them.
     *
     * @return null where only the server can tell
     */
    private @Nullable CampaignSize size(CampaignFile campaign, boolean hasServer) {
        if (connect.server() != null) {
            return CampaignCheck.sizeForServer(campaign);
        }
        return hasServer
                ? CampaignCheck.checkForServer(campaign)
                : CampaignCheck.check(campaign, connect.common().path());
    }

    /** Warns with the server's prices, which only its workers know, and goes on without them when the server does not tell. */
    private boolean isAgreed(ApiSession session, ObjectNode document, CampaignSize size) {
        PrintWriter err = connect.common().err();
        if (!consent.isDue(size)) {
            return consent.given(size, err);
        }
        CampaignSize priced = size;
        try {
            priced = size.by(session.api().estimate(document));
        } catch (AssayException e) {
            if (!e.errors().isEmpty()) {
                throw e;
            }
            err.println(
                    "The server's prices are missing from this warning, because its plan failed: " + e.getMessage());
        }
        return consent.given(priced, err);
    }

    private int run(ApiSession session, ObjectNode document, @Nullable OwnAgents own) {
        CommonOptions common = connect.common();
        RemoteCampaign submitted = session.api().submit(document);
        if (own != null) {
            own.submitted(submitted.id());
        }
        submitted.warningLines().forEach(common.err()::println);
        // Whoever detaches wants the id, and no result follows on stdout.
        PrintWriter to = detach ? common.out() : common.err();
        to.println("Campaign " + submitted.id());
        to.println(page(session, submitted.id()));
        to.flush();
        if (detach) {
            return ExitCode.OK;
        }
        CampaignFollower follower = new CampaignFollower(
                session, connect, result, submitted, agents.origin().without(leftOut));
        follower.leaveOnInterrupt();
        RemoteCampaign view = follower.follow();
        if (record != null && view.state() == CampaignState.COMPLETED) {
            writeCassette(record, session.api().cassette(view.id()));
        }
        return follower.conclude();
    }

    /** The page's address. That of a server which ends with this command is gone then. */
    private String page(ApiSession session, String id) {
        String page = "Page: " + session.api().base().resolve("/ui/campaigns/" + id);
        return session.isEmbedded() ? page + " until this ends; later: " + connect.pasted("assay up --open") : page;
    }

    /** Names unfinished campaigns, only in a process of its own: a server that is joined goes on with them anyway. */
    private void nameUnfinished(ApiSession session) {
        if (!session.isEmbedded()) {
            return;
        }
        List<RemoteCampaign> unfinished = session.api().campaigns().stream()
                .filter(campaign -> !campaign.state().ended())
                .toList();
        if (!unfinished.isEmpty()) {
            connect.common()
                    .err()
                    .println(unfinished.size() + " unfinished "
                            + (unfinished.size() == 1 ? "campaign: " : "campaigns, the newest: ")
                            + unfinished.getFirst().id() + " ("
                            + connect.pasted(
                                    "assay resume " + unfinished.getFirst().id()) + ")");
        }
    }

    /** Nobody would write what is wanted at the end. */
    private void checkDetached() {
        if (detach
                && (record != null || result.json() || result.reports().places().any())) {
            throw connect.common()
                    .badUsage(
                            "--detach does not wait for what --record, --json, --output, --junit, --html or --markdown"
                                    + " write");
        }
    }

    /** Checks the place of the recording before anything is paid for. */
    private void checkRecordPlace() {
        if (record == null) {
            return;
        }
        Path directory = record.toAbsolutePath().getParent();
        if (Files.isDirectory(record) || directory == null || !Files.isWritable(directory)) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "--record " + record + " cannot be written");
        }
    }

    private void writeCassette(Path target, String cassette) {
        try {
            Files.writeString(target, cassette, StandardCharsets.UTF_8);
            connect.common().err().println("Recorded " + cassette.lines().count() + " answers in " + target);
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE, "The cassette " + target + " could not be written: " + e, e);
        }
    }
}
