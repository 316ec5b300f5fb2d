package dev.assay.cli.report.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.trace.Traces;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The reports of a run beside its table: summary, artifacts, JUnit, Markdown. */
public final class RunReports {

    private final AssayApi api;
    private final Places places;
    private final RunOrigin origin;
    private final PrintWriter err;

    /**
     * The places of reports.
     *
     * @param output directory below which each run has its own; null: none
     * @param junit file; null: none
     * @param markdown file; null: none
     * @param appends whether the Markdown is added to what stands in its file
     */
    public record Places(
            @Nullable Path output,
            @Nullable Path junit,
            @Nullable Path markdown,
            boolean appends) {

        /** Whether there is any. */
        public boolean any() {
            return output != null || junit != null || markdown != null;
        }
    }

    /**
     * Reports of campaigns of {@code api}.
     *
     * @param origin what the run was asked for
     * @param err where files that cannot be written are reported
     */
    public RunReports(AssayApi api, Places places, RunOrigin origin, PrintWriter err) {
        this.api = api;
        this.places = places;
        this.origin = origin;
        this.err = err;
    }

    /**
     * Asks for the outcomes and writes the reports. A file that cannot be written is reported, and changes nothing else.
     *
     * @return {@code summary.json}
     */
    public String write(RemoteCampaign view, CampaignSummary summary, ExitRule rule) {
        Path directory = places.output == null ? null : directory(places.output, view);
        RunArtifacts artifacts = directory == null
                ? null
                : new RunArtifacts(directory, summary.branches().size() > 1, err);
        TrialResults trials = new TrialResults();
        api.outcomes(view.id(), outcome -> {
            RunArtifacts.TrialFiles files = file -> api.trialFile(view.id(), outcome, file);
            ObjectNode result = trials.add(counted(outcome, files));
            if (artifacts != null) {
                artifacts.trial(outcome, result, files);
            }
        });
        JsonNode campaign = api.campaignJson(view.id());
        SummaryJson.Run run =
                new SummaryJson.Run(campaign.path("maxConcurrent"), directory == null ? null : directory.toString());
        String json = new SummaryJson(trials, origin).write(view, summary, rule, run);
        if (artifacts != null) {
            artifacts.finish(summary, trials, json);
            err.println("Artifacts: " + directory);
        }
        writeJunit(summary, trials, campaign.path("suite").asText(view.name()));
        writeMarkdown(view, summary, trials, rule);
        err.flush();
        return json;
    }

    /** The commands of a program are those of its trace. */
    private static JsonNode counted(JsonNode outcome, RunArtifacts.TrialFiles files) {
        if (outcome.path("commandCount").isNumber() || !(outcome instanceof ObjectNode object)) {
            return outcome;
        }
        String trace = new String(files.get(RunArtifacts.TRACE), StandardCharsets.UTF_8);
        return object.put("commandCount", Traces.commands(Traces.read(trace)));
    }

    private @Nullable Path directory(Path output, RemoteCampaign view) {
        try {
            return RunDirectory.make(output, view.createdAt());
        } catch (IOException e) {
            report(output, e);
            return null;
        }
    }

    private void writeJunit(CampaignSummary summary, TrialResults trials, String suite) {
        if (places.junit == null) {
            return;
        }
        try {
            Files.write(places.junit, JunitReport.of(summary, trials, suite));
        } catch (IOException e) {
            report(places.junit, e);
        }
    }

    private void writeMarkdown(RemoteCampaign view, CampaignSummary summary, TrialResults trials, ExitRule rule) {
        Path file = places.markdown;
        if (file == null) {
            return;
        }
        try {
            long there = places.appends && Files.exists(file) ? Files.size(file) : 0;
            int room = (int) Math.max(0, MarkdownReport.MAX_BYTES - there);
            String text = MarkdownReport.of(view.name(), view.id(), summary, trials, rule, room);
            Files.writeString(
                    file,
                    text,
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    places.appends ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            report(file, e);
        }
    }

    private void report(Path file, IOException failure) {
        err.println(RunArtifacts.CODE + ": " + file + " could not be written: " + failure);
    }
}
