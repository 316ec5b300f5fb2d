package dev.assay.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.FakeApi;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** FastSkill's folders, its codes and the acceptance criteria of its trials, as users meet them. */
class FastSkillFolderTest {

    private static final String PROMPTS = """
        id,prompt,should_trigger,tags,workspace_subdir,owner
        smoke-1,"List, briefly",true,"smoke, basic",sub,ann
        chat-1,Tell a joke,false,,,
        """;

    private static final String CHECKS = """
        [[check]]
        name = "trigger_expectation"
        pattern = "fastskill"
        expected = true

        [[check]]
        name = "max_command_count"
        limit = 5
        required = false
        """;

    private static final String CONFIG = """
        [project]
        name = "skill"

        [tool.fastskill.eval]
        prompts = "evals/prompts.csv"
        checks = "evals/checks.toml"
        """;

    private final FakeApi api = new FakeApi();

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        api.close();
    }

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        return Files.writeString(file, text);
    }

    private Path folder(String settings) throws IOException {
        write("skill/evals/prompts.csv", PROMPTS);
        write("skill/evals/checks.toml", CHECKS);
        return write("skill/skill-project.toml", CONFIG + settings)
                .resolveSibling(".")
                .normalize();
    }

    private JsonNode submitted(Path path, String... options) {
        List<String> arguments = new ArrayList<>(List.of("run", path.toString(), "--server", api.url()));
        arguments.addAll(List.of(options));
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isZero();
        return api.submitted();
    }

    private CommandRun validate(Path path) {
        return CommandRun.of(
                "validate", path.toString(), "--data", directory.resolve("data").toString());
    }

    @Test
    void backwardCompatibilityAProjectWithoutTrialsRunsOneTrialOfEachCase() throws IOException {
        JsonNode campaign = submitted(folder(""), "--agent", "codex");
        assertThat(campaign.get("trials").intValue()).isEqualTo(1);
        assertThat(campaign.at("/gate/passThreshold").doubleValue()).isEqualTo(1.0);
        assertThat(campaign.at("/limits/timeoutSeconds").intValue()).isEqualTo(900);
        assertThat(campaign.at("/limits").has("maxConcurrent")).isFalse();
        assertThat(campaign.get("name").textValue()).isEqualTo("skill");
        assertThat(campaign.get("cases").get(0)).isEqualTo(Json.tree("""
            {"id": "smoke-1", "prompt": "List, briefly", "tags": ["smoke", "basic"],
             "metadata": {"owner": "ann", "should_trigger": true}, "workspaceSubdir": "sub"}\
            """));
        assertThat(campaign.get("checks").get(1)).isEqualTo(Json.tree("""
            {"type": "max_command_count", "limit": 5, "required": false}\
            """));
        JsonNode branch = campaign.at("/branches/0");
        assertThat(branch.get("id").textValue()).isEqualTo("codex");
        assertThat(branch.get("kind").textValue()).isEqualTo("command");
        assertThat(branch.at("/command/0").textValue()).isEqualTo("codex");
        assertThat(branch.get("output").textValue()).isEqualTo("codex");
        assertThat(branch.get("workspace").textValue()).isEqualTo(stored(directory.resolve("skill")));
        assertThat(branch.has("failOnMissingAgent")).isFalse();
    }

    @Test
    void configurationValidationBadValuesAreRefusedByTheirCodes() throws IOException {
        assertThat(validate(folder("trials_per_case = 0\npass_threshold = 1.5\n"))
                        .err())
                .contains("EVAL_INVALID_TRIALS_CONFIG: ", "EVAL_INVALID_THRESHOLD: ", "assay: 2 errors");
        CommandRun run = CommandRun.of("run", folder("").toString(), "--agent", "codex", "--threshold", "1.2");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("EVAL_INVALID_THRESHOLD: --threshold");
    }

    @Test
    void configurationInheritanceTheCommandLineWins() throws IOException {
        Path folder =
                folder("trials_per_case = 5\nparallel = 4\npass_threshold = 0.8\nfail_on_missing_agent = false\n");
        JsonNode campaign =
                submitted(folder, "--agent", "codex", "--trials", "2", "--threshold", "0.5", "--parallel", "3");
        assertThat(campaign.get("trials").intValue()).isEqualTo(2);
        assertThat(campaign.at("/limits/maxConcurrent").intValue()).isEqualTo(3);
        assertThat(campaign.at("/gate/passThreshold").doubleValue()).isEqualTo(0.5);
        assertThat(campaign.at("/branches/0/failOnMissingAgent").booleanValue()).isFalse();
    }

    @Test
    void shouldBeABranchEachWhenSeveralAgentsAreNamed() throws IOException {
        Path program = write("bin/my agent", "#!/bin/sh\n");
        JsonNode branches = submitted(
                        folder(""),
                        "--agent",
                        "claude",
                        "--agent",
                        program.toString(),
                        "--agent",
                        "python3 a.py {{model}}",
                        "--agent",
                        "claude",
                        "--model",
                        "m")
                .get("branches");
        assertThat(branches.findValuesAsText("id")).containsExactly("claude", "my agent", "python3", "claude-2");
        assertThat(branches.get(1).get("command")).isEqualTo(Json.tree("[\"" + program + "\"]"));
        assertThat(branches.get(2).get("command")).isEqualTo(Json.tree("[\"python3\", \"a.py\", \"m\"]"));
        assertThat(branches.get(0).get("command").toString()).contains("\"--model\",\"m\"");
    }

    @Test
    void shouldUseTheParentOrTheNamedWorkspaceWhenADirectoryHasOnlyPrompts() throws IOException {
        folder("");
        Path evals = directory.resolve("skill/evals");
        assertThat(submitted(evals, "--agent", "codex")
                        .at("/branches/0/workspace")
                        .textValue())
                .isEqualTo(stored(directory.resolve("skill")));
        CommandRun.of(
                "run",
                evals.toString(),
                "--server",
                api.url(),
                "--agent",
                "codex",
                "--workspace",
                directory.toString());
        assertThat(Json.tree(api.requests().stream()
                                .filter(request -> request.method().equals("POST"))
                                .toList()
                                .getLast()
                                .body())
                        .at("/branches/0/workspace")
                        .textValue())
                .isEqualTo(stored(directory));
    }

    /** How a campaign names a workspace that is uploaded. */
    private static String stored(Path workspace) {
        ObjectNode document = Json.mapper().createObjectNode();
        document.putArray("branches").addObject().put("workspace", workspace.toString());
        try (PackedWorkspaces packed = PackedWorkspaces.of(document)) {
            assertThat(packed.archives()).hasSize(1);
            return document.at("/branches/0/workspace").textValue();
        }
    }

    @Test
    void summaryExtensionNamesAgentModelAndPaths() throws IOException {
        Path output = directory.resolve("out");
        CommandRun run = CommandRun.of(
                "run",
                folder("").toString(),
                "--server",
                api.url(),
                "--agent",
                "codex",
                "--model",
                "m",
                "--json",
                "--output",
                output.toString(),
                "--junit",
                directory.resolve("j.xml").toString(),
                "--markdown",
                directory.resolve("r.md").toString());
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode summary = Json.tree(run.out());
        assertThat(summary.get("agent").textValue()).isEqualTo("codex");
        assertThat(summary.get("model").textValue()).isEqualTo("m");
        assertThat(summary.get("total_cases").intValue()).isEqualTo(2);
        assertThat(summary.get("passed").intValue()).isEqualTo(2);
        assertThat(summary.get("failed").intValue()).isZero();
        assertThat(summary.get("checks_path").textValue())
                .isEqualTo(directory.resolve("skill/evals/checks.toml").toString());
        assertThat(summary.get("skill_project_root").textValue())
                .isEqualTo(directory.resolve("skill").toString());
        Path made = Path.of(summary.get("run_dir").textValue());
        assertThat(made).isEqualTo(output.resolve("2026-01-01T00-00-00Z"));
        assertThat(Json.tree(Files.readString(made.resolve("summary.json")))).isEqualTo(summary);
        assertThat(made.resolve("france/trial-1/stdout.txt")).hasContent("Paris");
        assertThat(made.resolve("spain/trial-1/stdout.txt")).exists();
        assertThat(directory.resolve("j.xml"))
                .content()
                .contains("<testcase classname=\"world.small\" name=\"france\"");
        assertThat(directory.resolve("r.md")).content().startsWith("## capitals: PASS");
    }

    /** Every write to {@code /dev/full} ends as on a full disk. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKeepResultAndExitCodeWhenTheDiskIsFullAtTheEnd() throws IOException {
        CommandRun run = CommandRun.of(
                "run",
                folder("").toString(),
                "--server",
                api.url(),
                "--agent",
                "codex",
                "--json",
                "--junit",
                "/dev/full",
                "--markdown",
                "/dev/full");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(Json.tree(run.out()).get("passed").intValue()).isEqualTo(2);
        assertThat(run.err().lines().filter(line -> line.startsWith("EVAL_TRIAL_ARTIFACTS_CORRUPT: /dev/full")))
                .hasSize(2)
                .allMatch(line -> line.endsWith("No space left on device"));
    }

    @Test
    void shouldRunNothingWhenAReportCannotBeWritten() throws IOException {
        Path file = write("file", "");
        for (String option : List.of("--output", "--junit", "--markdown")) {
            CommandRun run = CommandRun.of(
                    "run", folder("").toString(), "--server", api.url(), "--agent", "codex", option, file + "/below/x");
            assertThat(run.code()).as(option).isEqualTo(2);
            assertThat(run.err()).contains(option, "cannot be written");
        }
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void evalConfigMissingIsSaidWhenThereIsNothingToRun() throws IOException {
        write("none/skill-project.toml", "[metadata]\nid = \"x\"\n");
        for (String path : List.of("none", "none/skill-project.toml")) {
            CommandRun run = CommandRun.of("run", directory.resolve(path).toString(), "--agent", "codex");
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).contains("EVAL_CONFIG_MISSING: ");
        }
        write("half/pyproject.toml", "[tool.fastskill.eval]\nchecks = \"c.toml\"\n");
        assertThat(validate(directory.resolve("half")).err())
                .contains("tool.fastskill.eval.prompts: EVAL_CONFIG_MISSING: ");
    }

    @Test
    void evalPromptsNotFoundEvalInvalidCsvAndEvalChecksInvalidAreSaidAtOnce() throws IOException {
        write("a/pyproject.toml", CONFIG);
        write("a/evals/checks.toml", "[[checks]]\n");
        CommandRun missing = validate(directory.resolve("a"));
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err())
                .contains(
                        "evals/prompts.csv: EVAL_PROMPTS_NOT_FOUND: ",
                        "evals/checks.toml: checks: EVAL_CHECKS_INVALID: ");
        write("a/evals/prompts.csv", "id,prompt,should_trigger\n,x,true\na/b,\"two\nlines\",1\nc,,0\n");
        assertThat(validate(directory.resolve("a")).err())
                .contains(
                        "EVAL_INVALID_CSV: line 2: id",
                        "EVAL_INVALID_CSV: line 3: id",
                        "EVAL_INVALID_CSV: line 5: prompt",
                        "EVAL_CHECKS_INVALID: ",
                        "assay: 4 errors");
    }

    @Test
    void shouldNeedNoAgentWhenAFolderIsValidated() throws IOException {
        CommandRun run = validate(folder("trials_per_case = 3\n"));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("is valid: 2 cases × 1 branch × 3 trials");
        CommandRun nobody = CommandRun.of("run", folder("").toString());
        assertThat(nobody.code()).isEqualTo(2);
        assertThat(nobody.err()).contains("--agent claude, codex, gemini, or a program");
    }

    @Test
    void shouldTakePromptsAndChecksWhenACampaignFileNamesThem() throws IOException {
        folder("");
        Path file = write("skill/campaign.yaml", """
            name: native
            suite: evals/prompts.csv
            checks: evals/checks.toml
            branches: [{id: a, kind: scripted, script: {answers: [fastskill]}}]
            """);
        CommandRun run = validate(file);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("2 cases");
        JsonNode document = CampaignFile.load(file).document();
        assertThat(document.at("/suite/name").textValue()).isEqualTo("prompts");
        assertThat(document.at("/checks/0/type").textValue()).isEqualTo("trigger_expectation");
        write("skill/evals/prompts.csv", "id,prompt\n");
        write("skill/evals/checks.toml", "not toml");
        assertThat(validate(file).err().lines())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("suite: EVAL_INVALID_CSV: line 1: column should_trigger"))
                .anyMatch(line -> line.startsWith("checks: EVAL_CHECKS_INVALID: Line 1"));
    }

    @Test
    void shouldWriteTheNativeFormWhenAFolderIsImported() throws IOException {
        Path output = directory.resolve("native");
        CommandRun run = CommandRun.of("import", folder("parallel = 2\n").toString(), "--output", output.toString());
        assertThat(run.code()).as(run.err()).isZero();
        String yaml = Files.readString(output.resolve("campaign.yaml"));
        JsonNode document = DocumentText.parse(yaml);
        assertThat(document.at("/cases/0/metadata/should_trigger").booleanValue())
                .isTrue();
        assertThat(document.at("/cases/0/workspaceSubdir").textValue()).isEqualTo("sub");
        assertThat(document.at("/checks/0/type").textValue()).isEqualTo("trigger_expectation");
        assertThat(document.at("/limits/maxConcurrent").intValue()).isEqualTo(2);
        assertThat(document.has("branches")).isFalse();
        assertThat(yaml).contains("# branches:");
        CommandRun again = CommandRun.of("import", folder("").toString(), "--output", output.toString());
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("is there already");
        CommandRun.of("import", folder("").toString(), "--agent", "codex", "--output", output + "2");
        assertThat(DocumentText.parse(Files.readString(Path.of(output + "2/campaign.yaml")))
                        .at("/branches/0/workspace")
                        .textValue())
                .isEqualTo("../skill");
    }

    @Test
    void shouldRefuseAnAgentWhenACampaignFileSaysWhoAnswers() throws IOException {
        Path file = write("campaign.yaml", "name: x\n");
        CommandRun run = CommandRun.of("run", file.toString(), "--agent", "codex");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--agent is for folders of FastSkill");
    }
}
