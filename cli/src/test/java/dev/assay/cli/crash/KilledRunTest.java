package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.CommandRun;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a run whose command is killed, or whose campaign does not reach its end. */
@Tag("slow")
class KilledRunTest {

    private static final int TRIALS = 40;
    /** So many that it is still running when a busy machine asks its API. */
    private static final int MORE_TRIALS = 400;

    private static final String CAMPAIGN = """
        name: killed
        cases: [{id: a, prompt: One?, checks: [{type: contains, value: Answer}]}]
        branches: [{id: slow, kind: scripted, script: {answers: [Answer], delayMs: 300}}]
        trials: %d
        limits: {maxConcurrent: 4}
        """;

    @TempDir
    Path temporary;

    private Path data;
    private Path output;
    private Path file;
    private KilledServer servers;

    @BeforeEach
    void prepare() throws IOException {
        data = temporary.resolve("data");
        output = temporary.resolve("runs");
        file = Files.writeString(temporary.resolve("campaign.yaml"), CAMPAIGN.formatted(TRIALS));
        servers = new KilledServer(data);
    }

    @AfterEach
    void stop() throws Exception {
        servers.close();
    }

    private List<Path> results() {
        if (!Files.exists(output)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(output)) {
            return files.filter(path -> path.endsWith("result.json")).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private CommandRun command(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", data.toString()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private Path onlyRun() throws IOException {
        try (Stream<Path> runs = Files.list(output)) {
            List<Path> all = runs.toList();
            assertThat(all).as("directories of runs").hasSize(1);
            return all.getFirst();
        }
    }

    @Test
    void shouldKeepTheDirectoriesOfTrialsAndCompleteThemWithoutAskingAgain() throws Exception {
        Process run = servers.start("run", file.toString(), "--yes", "--output", output.toString());
        // By its files alone: on a busy machine the run may be over before its API is asked.
        await().atMost(Api.PATIENCE).until(() -> results().size() >= 5);
        servers.kill(run, servers.api().endpoints().orElseThrow());

        int kept = results().size();
        assertThat(kept).isBetween(5, TRIALS - 1);
        Path directory = onlyRun();
        String id = Json.tree(Files.readString(directory.resolve("campaign.json")))
                .path("campaign_id")
                .asText();
        assertThat(directory.resolve("summary.json")).doesNotExist();

        CommandRun resumed = command("resume", id, "--output", output.toString(), "--engine", "in-process");
        assertThat(resumed.code()).as(resumed.err()).isZero();
        assertThat(onlyRun()).isEqualTo(directory);
        assertThat(results()).hasSize(TRIALS);
        assertThat(directory.resolve("a/aggregated.json")).exists();
        JsonNode summary = Json.tree(Files.readString(directory.resolve("summary.json")));
        assertThat(summary.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(summary.at("/cases/0/trials").findValuesAsText("status"))
                .hasSize(TRIALS)
                .containsOnly("passed");
        servers.inspect(
                id,
                tables -> assertThat(
                                tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND " + Tables.SENT))
                        .as("requests: those in flight at the kill were asked again, no other")
                        .isBetween((long) TRIALS, TRIALS + KilledServer.inFlightBound(4)));
    }

    @Test
    void shouldWriteEveryFileOfACancelledCampaignAndAskNothing() throws Exception {
        Files.writeString(file, CAMPAIGN.formatted(MORE_TRIALS));
        Process run = servers.start("run", file.toString(), "--yes", "--output", output.toString());
        servers.api().await();
        await().atMost(Api.PATIENCE).until(() -> results().size() >= 5);
        String id = servers.api().newest().orElseThrow();
        servers.api().steer(id, "cancel");

        assertThat(run.waitFor()).isOne();
        JsonNode left = Json.tree(Files.readString(onlyRun().resolve("summary.json")));
        assertThat(left.path("state").asText())
                .as("the command wrote what there is")
                .isEqualTo("CANCELLED");

        long[] asked = new long[1];
        KilledServer.Inspection count =
                tables -> asked[0] = tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ?");
        servers.inspect(id, count);
        long before = asked[0];
        Path junit = temporary.resolve("junit.xml");
        Path markdown = temporary.resolve("result.md");
        Path other = temporary.resolve("other");
        CommandRun shown = command(
                "show",
                id,
                "--junit",
                junit.toString(),
                "--markdown",
                markdown.toString(),
                "--output",
                other.toString());

        assertThat(shown.code()).as(shown.err()).isZero();
        assertThat(Files.readString(junit)).contains("<testsuite name=\"killed.slow\" tests=\"1\"");
        assertThat(Files.readString(markdown)).startsWith("## killed: ");
        try (Stream<Path> runs = Files.list(other)) {
            JsonNode summary =
                    Json.tree(Files.readString(runs.toList().getFirst().resolve("summary.json")));
            assertThat(summary.path("state").asText()).isEqualTo("CANCELLED");
            List<String> statuses = summary.at("/cases/0/trials").findValuesAsText("status");
            assertThat(statuses).hasSize(MORE_TRIALS).contains("passed", "skipped");
        }
        servers.inspect(id, count);
        assertThat(asked[0]).as("paid calls").isEqualTo(before);
    }
}
