package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.agent.AgentTemplate;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.command.CommandRules;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.trace.OutputFormat;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandFieldsTest {

    private static final String HASH = "0123456789abcdef".repeat(4);

    private static final String FULL = "{id: c, command: [codex, exec, \"{{prompt}}\"], workspace: \"sha256:" + HASH
            + "\", env: [OPENAI_API_KEY], homeFiles: [.codex/auth.json], output: codex, maxCostUsd: 0.5,"
            + " failOnMissingAgent: false}";

    private static CampaignFile file(String branch) {
        return CampaignFile.minimal().with("/branches/0", branch);
    }

    private static CampaignDefinition read(String branch) {
        return CampaignReader.read(file(branch).document(), CampaignFile.OFFER).definition();
    }

    @Test
    void shouldReadBackWhatWasWrittenWhenABranchIsAProgram() {
        var submission = CampaignReader.read(file(FULL).document(), CampaignFile.OFFER);

        assertThat(submission.definition().branches().getFirst().agent())
                .isEqualTo(new Agent.Command(new AgentCommand(
                        List.of("codex", "exec", "{{prompt}}"),
                        HASH,
                        List.of("OPENAI_API_KEY"),
                        List.of(".codex/auth.json"),
                        OutputFormat.CODEX,
                        new BigDecimal("0.5"),
                        false)));
        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(submission.definition());
        assertThat(PublishedSchema.CAMPAIGN.violations(file(FULL).document())).isEmpty();
    }

    @Test
    void shouldNeedNoKindWhenTheBranchHasACommand() {
        assertThat(read("{id: c, command: [cat]}").commands()).singleElement().satisfies(command -> {
            assertThat(command.readsPrompt()).isTrue();
            assertThat(command.output()).isEqualTo(OutputFormat.TEXT);
            assertThat(command.required()).isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {id: c, command: []}                                        | branches[0].command
        {id: c, kind: command}                                      | branches[0].command
        {id: c, command: cat}                                       | branches[0].command
        {id: c, command: [1]}                                       | branches[0].command[0]
        {id: c, command: ["a\\0"]}                                  | branches[0].command[0]
        {id: c, command: [cat], workspace: ../secret}               | branches[0].workspace
        {id: c, command: [cat], env: ["A=b"]}                       | branches[0].env[0]
        {id: c, command: [cat], homeFiles: [../x]}                  | branches[0].homeFiles[0]
        {id: c, command: [cat], output: xml}                        | branches[0].output
        {id: c, command: [cat], maxCostUsd: 0}                      | branches[0].maxCostUsd
        {id: c, command: [cat], provider: openai}                   | branches[0].provider
        {id: c, command: [cat], systemPrompt: x}                    | branches[0].systemPrompt
        {id: c, kind: scripted, script: {answers: [a]}, env: [A]}   | branches[0].env
        """)
    void shouldNameTheFieldWhenABranchIsWrong(String branch, String path) {
        assertThat(file(branch).errors()).anyMatch(error -> error.toString().contains(path));
        assertThat(PublishedSchema.CAMPAIGN.violations(file(branch).document()).isEmpty())
                .as("A path is a workspace of a file, and a schema knows nothing of ..")
                .isEqualTo(branch.contains("../") || branch.contains("\\0"));
    }

    @Test
    void shouldAskForTheMostThatAnAttemptCostsWhenThereIsABudget() {
        CampaignFile file = file("{id: c, command: [cat]}").with("/limits", "{budgetUsd: 1}");

        assertThat(file.errors()).singleElement().asString().contains("branches[0].maxCostUsd", "budgetUsd");
        assertThat(file("{id: c, command: [cat], maxCostUsd: 0.1}")
                        .with("/limits", "{budgetUsd: 1}")
                        .errors())
                .isEmpty();
    }

    @Test
    void shouldRefuseBeforeAnythingRunsWhenNoWorkerMayStartTheAgent() {
        WorkerCapabilities offer = new WorkerCapabilities(
                CampaignFile.PROVIDERS,
                new ToolPolicy(
                        List.of(), List.of(), List.of(new ToolPolicy.AllowedAgent("cat", Set.of("A"), Set.of()))),
                Set.of());

        assertThat(CampaignReader.read(
                                file("{id: c, command: [cat, x], env: [A]}").document(), offer)
                        .definition()
                        .commands())
                .hasSize(1);
        for (String branch : List.of("{id: c, command: [dog]}", "{id: c, command: [cat], env: [B]}")) {
            assertThatThrownBy(() -> CampaignReader.read(file(branch).document(), offer))
                    .isInstanceOfSatisfying(
                            AssayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.EVAL_AGENT_UNAVAILABLE));
        }
        assertThat(CampaignReader.read(
                                file("{id: c, command: [dog], failOnMissingAgent: false}")
                                        .document(),
                                offer)
                        .definition()
                        .commands())
                .hasSize(1);
    }

    @Test
    void shouldRunAsManyAsThereAreProcessorsWhenOnlyProgramsAnswer() {
        JsonNode programs = file("{id: c, command: [cat]}").document();
        JsonNode models = CampaignFile.minimal().document();
        JsonNode given = file("{id: c, command: [cat]}")
                .with("/limits", "{maxConcurrent: 7}")
                .document();

        List.of(programs, models, given).forEach(document -> CommandRules.fillParallel(document, 3));

        assertThat(programs.at("/limits/maxConcurrent").intValue()).isEqualTo(3);
        assertThat(models.at("/limits/maxConcurrent").isMissingNode()).isTrue();
        assertThat(given.at("/limits/maxConcurrent").intValue()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude", "codex", "gemini"})
    void shouldNameTheModelAfterTheProgramWhenATemplateIsToldOne(String key) {
        AgentTemplate template = AgentTemplate.byKey().get(key);

        assertThat(template.command(null)).startsWith(key).doesNotContain("--model");
        assertThat(template.command("m")).containsSubsequence(key, "--model", "m");
        assertThat(template.output().word()).isEqualTo(key);
    }
}
