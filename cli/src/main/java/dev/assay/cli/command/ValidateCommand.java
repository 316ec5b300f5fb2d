package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.file.OwnCodeCheck;
import dev.assay.cli.file.PackedWorkspaces;
import dev.assay.cli.option.AgentOptions;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.CampaignSize;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.estimate.CampaignEstimate;
import dev.assay.domain.estimate.CampaignEstimate.PlannedSize;
import dev.assay.domain.json.Json;
import dev.assay.domain.rendering.Numbers;
import dev.assay.standalone.server.ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks a campaign file. Stores and starts nothing. */
@Command(
        name = "validate",
        description = "Validate a campaign file and name all its errors; nothing is stored or started.")
public final class ValidateCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Mixin
    private AgentOptions agents = new AgentOptions();

    @Option(
            names = "--of",
            paramLabel = "CAMPAIGN",
            description = "Validate a scoring file, which judges the stored answers of this campaign.")
    private @Nullable String of;

    @Parameters(
            paramLabel = "FILE",
            description =
                    "A campaign file, a directory that holds campaign.yaml, a FastSkill folder, a configuration of"
                            + " promptfoo, or samples as Inspect has them (CSV, JSON, JSON Lines).")
    private Path file = Path.of("");

    @Override
    public Integer call() throws InterruptedException {
        if (of != null) {
            return validateScoring(of);
        }
        CommonOptions common = connect.common();
        CampaignFile campaign = agents.loadForCheck(file, common.path());
        // Nothing but errors is said of an invalid file: whoever corrects it may change the rest too.
        List<String> notes = new ArrayList<>(agents.lines(campaign.report()));
        notes.addAll(agents.ownCode().notes());
        CampaignSize size;
        OwnCodeCheck compiled = OwnCodeCheck.of(campaign);
        try (PackedWorkspaces workspaces = PackedWorkspaces.of(campaign.document())) {
            size = CampaignCheck.check(campaign, common.path());
            agents.ownCode().check(campaign.document());
            if (agents.ownCode().loads()) {
                compiled.check(size.submission());
            }
            workspaces.warnings().forEach(warning -> notes.add("Warning: " + warning));
        }
        common.out().println(file + " is valid: " + size.text());
        common.out().flush();
        size.submission()
                .warnings()
                .forEach(code -> notes.add("Warning: " + code.warning().text()));
        CampaignCheck.warnings(size.submission(), common.path()).forEach(warning -> notes.add("Warning: " + warning));
        notes.forEach(common.err()::println);
        common.err().flush();
        return ExitCode.OK;
    }

    /** What it judges is in the store alone. */
    private int validateScoring(String campaign) {
        CampaignFile scoring = CampaignFile.load(file);
        scoring.requireFiles();
        agents.ownCode().check(scoring.document());
        JsonNode plan;
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.PLANNER, ApiSession.Joining.ANY)) {
            plan = session.api().plan(scoring.document(), Map.of("of", campaign));
        }
        PlannedSize size = Json.read(plan.toString(), CampaignEstimate.class).size();
        connect.common()
                .out()
                .println(file + " is valid: it judges " + Numbers.count(size.cells(), "stored answer") + " of "
                        + campaign
                        + (size.judgeCalls() == 0
                                ? ""
                                : " with at most " + Numbers.count(size.judgeCalls(), "call")
                                        + " of judges and graders"));
        connect.common().out().flush();
        return ExitCode.OK;
    }
}
