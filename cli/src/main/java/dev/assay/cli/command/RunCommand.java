package dev.assay.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.CostConsent;
import dev.assay.cli.option.OverrideOptions;
import dev.assay.cli.option.ResultOptions;
import dev.assay.cli.server.ServerOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
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

/** Runs a campaign file to its end and shows the result. */
@Command(name = "run", description = "Run a campaign file and show the result.")
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

    @Parameters(paramLabel = "FILE", description = "A campaign file, or a directory that holds campaign.yaml.")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        CommonOptions common = connect.common();
        CampaignFile campaign = CampaignFile.load(file);
        changes.overrides().apply(campaign.document());
        checkRecordPlace();
        if (connect.server() != null) {
            campaign.requireFiles();
        } else {
            CampaignSubmission submission = ApiSession.joinsServer(common.path())
                    ? CampaignCheck.checkForServer(campaign)
                    : CampaignCheck.check(campaign, common.path());
            if (!consent.given(submission, common.err())) {
                return ExitCode.COULD_NOT_RUN;
            }
        }
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.RUNNER, ApiSession.Joining.SHARED)) {
            nameUnfinished(session);
            return run(session, campaign.document());
        }
    }

    private int run(ApiSession session, ObjectNode document) {
        CommonOptions common = connect.common();
        RemoteCampaign submitted = session.api().submit(document);
        CampaignFollower follower = new CampaignFollower(session, common, result);
        follower.pauseOnInterrupt(submitted.id());
        common.err().println("Campaign " + submitted.id());
        common.err().flush();
        RemoteCampaign view = follower.follow(submitted);
        if (record != null && view.state() == CampaignState.COMPLETED) {
            writeCassette(record, session.api().cassette(view.id()));
        }
        return follower.conclude(
                view, document.path("gate").path("suiteThreshold").isNumber());
    }

    /** Only in a process of its own: a server that is joined goes on with them anyway. */
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
                            + unfinished.getFirst().id() + " (assay resume "
                            + unfinished.getFirst().id() + ")");
        }
    }

    /** Before anything is paid for. */
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
