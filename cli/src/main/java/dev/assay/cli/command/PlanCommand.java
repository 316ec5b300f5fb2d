package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.file.Overrides;
import dev.assay.cli.option.AllErrorsOption;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.OverrideOptions;
import dev.assay.cli.report.PlanTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.estimate.CampaignEstimate;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a campaign would cost, and what its result could show. */
@Command(
        name = "plan",
        description = "Plan a campaign: its cost and what it could show; no model is asked, nothing is stored.")
public final class PlanCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Mixin
    private OverrideOptions changes = new OverrideOptions();

    // The report of errors asks the parsed command line for it.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private AllErrorsOption allErrors = new AllErrorsOption();

    @Parameters(paramLabel = "FILE", description = "A campaign file, or a directory that holds campaign.yaml.")
    private Path file = Path.of("");

    @Option(
            names = "--from",
            paramLabel = "CAMPAIGN",
            description = "Learn from this campaign. Default: the newest of the same name, or with the same models.")
    private @Nullable String from;

    @Option(
            names = "--of",
            paramLabel = "CAMPAIGN",
            description = "Plan a scoring: FILE judges the stored answers of this campaign.")
    private @Nullable String of;

    @Option(names = "--rate", paramLabel = "X", description = "Pass rate to expect, 0-1. Default: as measured, or 0.8.")
    private @Nullable Double rate;

    @Option(
            names = "--icc",
            paramLabel = "X",
            description = "Share of the variance that lies between cases, 0-1. Default: as measured, or 0.5.")
    private @Nullable Double icc;

    @Option(
            names = "--correlation",
            paramLabel = "X",
            description = "Correlation of the case rates of two branches. Default: 0.5.")
    private @Nullable Double correlation;

    @Option(
            names = "--difference",
            paramLabel = "X",
            description = "Difference to find, -1 to 1, below 0 a loss. Default: -0.05.")
    private @Nullable Double difference;

    @Option(names = "--power", paramLabel = "X", description = "How often to find it, 0.01-0.99. Default: 0.8.")
    private @Nullable Double power;

    @Option(names = "--ci", description = "Plan what `run --ci` submits: not every case must pass by default.")
    private boolean ci;

    @Option(names = "--json", description = "Print the API's answer as JSON.")
    private boolean json;

    @Override
    public Integer call() {
        CampaignFile campaign = CampaignFile.load(file);
        changes.overrides().apply(campaign.document());
        changes.overrides().leaveOutReducers(campaign.document());
        // A scoring has the gate of its campaign.
        if (!ci && of == null) {
            Overrides.askForEveryCase(campaign.document());
        }
        campaign.requireFiles();
        JsonNode answer;
        // Only a worker knows its providers and their prices.
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.PLANNER, ApiSession.Joining.ANY)) {
            answer = session.api().plan(campaign.document(), assumptions());
        }
        PrintWriter out = connect.common().out();
        out.print(
                json
                        ? answer.toPrettyString() + System.lineSeparator()
                        : PlanTable.of(Json.read(answer.toString(), CampaignEstimate.class)));
        out.flush();
        return ExitCode.OK;
    }

    private Map<String, String> assumptions() {
        Map<String, String> assumptions = new LinkedHashMap<>();
        put(assumptions, "from", from);
        put(assumptions, "of", of);
        put(assumptions, "rate", rate);
        put(assumptions, "icc", icc);
        put(assumptions, "correlation", correlation);
        put(assumptions, "difference", difference);
        put(assumptions, "power", power);
        return assumptions;
    }

    private static void put(Map<String, String> assumptions, String name, @Nullable Object value) {
        if (value != null) {
            assumptions.put(name, value.toString());
        }
    }
}
