package dev.assay.cli.report.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.domain.rendering.MarkdownReport;
import dev.assay.domain.rendering.RunLayout;
import dev.assay.domain.rendering.SummaryJson;
import dev.assay.domain.rendering.TrialResults;
import dev.assay.domain.report.ExitRule;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reports of a run beside its table, which the server makes: summary, directory of the run, JUnit, Markdown. */
public final class RunReports {

    /** The least time between two looks at what ended. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final AssayApi api;
    private final Places places;
    private final RunOrigin origin;
    private final PrintWriter err;
    private final String campaignId;
    private final boolean isScoring;
    private @Nullable Path directory;
    private @Nullable RunArtifacts artifacts;
    private @Nullable String version;
    private boolean canFollow = true;
    private long lookedNanos;

    /**
     * The places of reports.
     *
     * @param output directory below which each run has its own; null: none
     * @param junit file; null: none
     * @param markdown file; null: none
     * @param html file; null: none
     * @param appends whether the Markdown is added to what stands in its file
     */
    public record Places(
            @Nullable Path output,
            @Nullable Path junit,
            @Nullable Path markdown,
            @Nullable Path html,
            boolean appends) {

        /** Whether there is any. */
        public boolean any() {
            return output != null || junit != null || markdown != null || html != null;
        }
    }

    /**
     * Reports of a campaign of {@code api}. The directory of its run is there from now on.
     *
     * @param origin what the run was asked for
     * @param err where files that cannot be written are reported
     */
    public RunReports(AssayApi api, RemoteCampaign campaign, Places places, RunOrigin origin, PrintWriter err) {
        this.api = api;
        this.places = places;
        this.origin = origin;
        this.err = err;
        this.campaignId = campaign.id();
        this.isScoring = campaign.scoring() != null;
        if (places.output != null) {
            open(places.output, campaign);
        }
    }

    private void open(Path output, RemoteCampaign campaign) {
        try {
            Path run = RunDirectory.of(campaignId, output, campaign.createdAt());
            directory = run;
            artifacts = new RunArtifacts(run, err);
            err.println("Artifacts: " + run);
        } catch (IOException e) {
            report(output, e);
        }
        err.flush();
    }

    /** Writes the directories of trials that ended since the last look. What fails is written with a later look. */
    public void follow() {
        if (artifacts == null || !canFollow || System.nanoTime() - lookedNanos < LOOK.toNanos()) {
            return;
        }
        try {
            writeTrials(artifacts);
            canFollow = version != null;
        } catch (AssayException e) {
            // The server or its database is away. The end, which says so, asks for the same trials again.
        }
        lookedNanos = System.nanoTime();
    }

    /** Directories of trials that ended since the version that was read last; of all where none was. */
    private void writeTrials(RunArtifacts into) {
        String since = version;
        Map<String, String> query = since == null ? Map.of("part", "trials") : Map.of("since", since);
        var _ = api.artifacts(campaignId, query, (archive, state) -> {
            var _ = into.unpack(archive);
            version = state;
            return into;
        });
    }

    /**
     * Writes the reports. A file that cannot be written is reported, and changes nothing else.
     *
     * @return {@code summary.json}
     */
    public String write(ExitRule rule) {
        RunArtifacts into = artifacts;
        String json;
        if (into == null) {
            json = own(download(Map.of("format", "summary")), rule);
        } else {
            writeTrials(into);
            json = own(writeTotals(into), rule);
            into.write(RunLayout.SUMMARY, (json + "\n").getBytes(StandardCharsets.UTF_8));
            into.finish();
        }
        writeFile(places.junit, "junit");
        writeFile(places.html, "html");
        writeMarkdown();
        err.flush();
        return json;
    }

    private byte[] writeTotals(RunArtifacts into) {
        return api.artifacts(campaignId, Map.of("part", "totals"), (archive, state) -> {
            byte[] summary = into.unpack(archive);
            if (summary == null) {
                throw new IOException("its archive has no " + RunLayout.SUMMARY);
            }
            return summary;
        });
    }

    /** The server's summary with what only the command knows: files, directory, {@code --no-fail}. */
    private String own(byte[] summary, ExitRule rule) {
        ObjectNode root = (ObjectNode) Json.tree(new String(summary, StandardCharsets.UTF_8));
        put(root, "agent", origin.agent());
        put(root, "model", origin.model());
        put(root, "run_dir", directory == null ? null : directory.toString());
        put(root, "checks_path", origin.checksPath());
        put(root, "skill_project_root", origin.skillProjectRoot());
        root.setAll(SummaryJson.exit(rule));
        if (isScoring) {
            root.set("scoring", SnakeCase.of(api.scoring(campaignId)));
        }
        for (JsonNode branch : root.path("branches")) {
            int cases = branch.path("cases").size();
            origin.leftOutReducers()
                    .forEach(name -> ((ObjectNode) branch.path("reducers")).set(name, SummaryJson.leftOut(cases)));
        }
        return TrialResults.pretty(root);
    }

    private static void put(ObjectNode root, String field, @Nullable String value) {
        if (value != null) {
            root.put(field, value);
        }
    }

    private void writeFile(@Nullable Path file, String format) {
        if (file == null) {
            return;
        }
        byte[] content = download(Map.of("format", format));
        try {
            Files.write(file, content);
        } catch (IOException e) {
            report(file, e);
        }
    }

    private void writeMarkdown() {
        Path file = places.markdown;
        if (file == null) {
            return;
        }
        try {
            long there = places.appends && Files.exists(file) ? Files.size(file) : 0;
            long room = Math.max(MarkdownReport.MIN_BYTES, MarkdownReport.MAX_BYTES - there);
            Files.write(
                    file,
                    download(Map.of("format", "markdown", "maxBytes", Long.toString(room))),
                    StandardOpenOption.CREATE,
                    places.appends ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            report(file, e);
        }
    }

    private byte[] download(Map<String, String> query) {
        return api.artifacts(campaignId, query, (file, state) -> file.readAllBytes());
    }

    private void report(Path file, IOException failure) {
        err.println(RunArtifacts.CODE + ": " + file + " could not be written: " + failure);
    }
}
