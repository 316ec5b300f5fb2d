package dev.assay.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Acceptance criteria of FastSkill's trials, from a folder to the exit code: a script stands for the agent, everything else is real. */
@Tag("slow")
class FastSkillAcceptanceTest {

    @TempDir
    Path temporary;

    private AssayServer server;
    private Path folder;
    private Path agent;

    /** Of the case `lucky` the first three trials that run find the skill, of `steady` all do. */
    @BeforeEach
    void start() throws IOException {
        folder = Files.createDirectories(temporary.resolve("project/evals"));
        Files.writeString(
                folder.resolve("prompts.csv"),
                "id,prompt,should_trigger\nlucky,Try your luck,true\nsteady,Be steady,true\n");
        Files.writeString(folder.resolve("checks.toml"), """
            [[check]]
            name = "trigger_expectation"
            pattern = "the skill"
            expected = true
            """);
        Path taken = Files.createDirectories(temporary.resolve("taken"));
        agent = Files.writeString(temporary.resolve("agent"), """
            #!/bin/sh
            prompt=$(cat)
            number=0
            case $prompt in
                *luck*) for number in 1 2 3 4 5; do mkdir "%s/$number" 2>/dev/null && break; done ;;
            esac
            [ "$number" -le 3 ] && echo "used the skill" || echo "used nothing"
            """.formatted(taken));
        assertThat(agent.toFile().setExecutable(true)).isTrue();
        Path data = Files.createDirectories(temporary.resolve("data"));
        // It counts in a directory that its attempts share.
        Files.writeString(data.resolve("tools.yaml"), "agents: [{program: \"" + agent + "\", isolation: none}]\n");
        server = InProcessServer.start(data);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private CommandRun run(String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "run", folder.toString(), "--server", server.api().toString(), "--agent", agent.toString(), "--json"));
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    private static JsonNode read(Path file) throws IOException {
        return Json.tree(Files.readString(file));
    }

    @Test
    void deterministicAggregationThreeOfFivePassAtSixTenthsAndEachTrialHasItsDirectory() throws Exception {
        Path output = temporary.resolve("out");

        CommandRun run = run("--trials", "5", "--threshold", "0.6", "--ci", "--output", output.toString());

        assertThat(run.code()).as(run.err()).isZero();
        JsonNode summary = Json.tree(run.out());
        assertThat(summary.get("suite_pass").booleanValue()).isTrue();
        assertThat(summary.get("suite_pass_rate").doubleValue()).isEqualTo(1.0);
        JsonNode lucky = summary.at("/cases/0");
        assertThat(lucky.get("status").asText()).isEqualTo("passed");
        assertThat(lucky.get("pass_count").intValue()).isEqualTo(3);
        assertThat(lucky.get("total_trials").intValue()).isEqualTo(5);
        assertThat(lucky.get("pass_rate").doubleValue()).isEqualTo(0.6);
        Path made = Path.of(summary.get("run_dir").asText());
        for (int trial = 1; trial <= 5; trial++) {
            Path directory = made.resolve("lucky/trial-" + trial);
            assertThat(read(directory.resolve("result.json")).get("trial_id").intValue())
                    .isEqualTo(trial);
            assertThat(directory.resolve("stdout.txt")).content().startsWith("used ");
            assertThat(directory.resolve("stderr.txt")).isEmptyFile();
            assertThat(directory.resolve("trace.jsonl")).exists();
        }
        assertThat(read(made.resolve("lucky/aggregated.json")).get("pass_count").intValue())
                .isEqualTo(3);
        assertThat(read(made.resolve("summary.json"))).isEqualTo(summary);
    }

    @Test
    void ciExitSemanticsTheSuiteRateDecidesWithCiAndEveryCaseWithout() {
        CommandRun below = run("--trials", "5", "--threshold", "0.7", "--ci");
        assertThat(below.code()).as(below.err()).isEqualTo(100);
        assertThat(Json.tree(below.out()).get("suite_pass_rate").doubleValue()).isEqualTo(0.5);
        assertThat(Json.tree(below.out()).get("suite_pass").booleanValue()).isFalse();

        // Nothing is left to be lucky with: `lucky` fails, `steady` passes.
        CommandRun half = run("--threshold", "0.5", "--ci");
        assertThat(half.code()).as(half.err()).isZero();
        assertThat(run("--threshold", "0.5").code()).isEqualTo(100);
        assertThat(run("--threshold", "0.5", "--no-fail").code()).isZero();
    }

    @Test
    void backwardCompatibilityAFolderWithoutSettingsRunsEachCaseOnce() {
        CommandRun run = run();

        assertThat(run.code()).as(run.err()).isZero();
        JsonNode summary = Json.tree(run.out());
        assertThat(summary.get("trials_per_case").intValue()).isEqualTo(1);
        assertThat(summary.get("pass_threshold").doubleValue()).isEqualTo(1.0);
        assertThat(summary.at("/cases/0/trials")).hasSize(1);
        assertThat(run.err()).doesNotContain("EVAL_COST_WARNING");
    }

    @Test
    void costWarningIsSaidAndNothingIsAskedWithoutATerminal() {
        CommandRun run = run("--trials", "50", "--threshold", "0");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("EVAL_COST_WARNING: 2 cases × 1 branch × 50 trials = 100 cells");
    }
}
