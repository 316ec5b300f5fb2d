package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.agent.AgentTemplate;
import dev.assay.domain.agent.ModelAccess;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.command.CommandRules;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.trace.OutputFormat;
import dev.assay.domain.usage.Price;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandKindTest {

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
                        null,
                        false)));
        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(submission.definition());
        assertThat(PublishedSchema.CAMPAIGN.violations(file(FULL).document())).isEmpty();
    }

    private static final String MODELS =
            "{id: c, command: [codex], models: {provider: openai, allow: [gpt, gpt-mini], maxTokens: 32000},"
                    + " maxCostUsd: 0.5}";

    /** The providers of the tests, with their types: the Google one is told by its name. */
    private static Map<String, ProviderInfo> typed(Map<String, Price> prices) {
        return Map.of(
                "openai", new ProviderInfo("openai", ProviderType.OPENAI, true, null, 10, 100, prices),
                "responses", new ProviderInfo("responses", ProviderType.OPENAI_RESPONSES, true, null, 10, 100, prices),
                "google", new ProviderInfo("google", ProviderType.GOOGLE, true, null, 10, 100, prices),
                "keyless", new ProviderInfo("keyless", ProviderType.ANTHROPIC, false, "KEY", 10, 100, prices));
    }

    private static final Map<String, Price> PRICES =
            Map.of("*", new Price(BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE));

    private static List<String> errors(CampaignFile file, Map<String, ProviderInfo> providers) {
        try {
            CampaignReader.read(file.document(), providers);
            return List.of();
        } catch (AssayException e) {
            return e.errors().stream().map(String::valueOf).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "responses"})
    void shouldReadBackWhatWasWrittenWhenAProgramMayAskModels(String provider) {
        CampaignFile file = file(MODELS.replace("openai", provider));
        var submission = CampaignReader.read(file.document(), typed(PRICES));

        assertThat(submission.definition().commands())
                .singleElement()
                .extracting(AgentCommand::models)
                .isEqualTo(new ModelAccess(provider, List.of("gpt", "gpt-mini"), 32_000));
        assertThat(CampaignReader.readStored(submission.document())).isEqualTo(submission.definition());
        assertThat(PublishedSchema.CAMPAIGN.violations(file.document())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {provider: google, allow: [m]}                         | []                  | models.provider | true
        {provider: keyless, allow: [m]}                        | []                  | models.provider | true
        {provider: nobody, allow: [m]}                         | []                  | models.provider | true
        {allow: [m]}                                           | []                  | models.provider | false
        {provider: openai}                                     | []                  | models.allow    | false
        {provider: openai, allow: []}                          | []                  | models.allow    | false
        {provider: openai, allow: [m, m]}                      | []                  | models.allow    | false
        {provider: openai, allow: [1]}                         | []                  | models.allow[0] | false
        {provider: openai, allow: [m], maxTokens: 0}           | []                  | models.maxTokens | false
        {provider: openai, allow: [m], model: m}               | []                  | models.model    | false
        {provider: openai, allow: [m]}                         | [OPENAI_BASE_URL]   | env[0]          | false
        {provider: openai, allow: [m]}                         | [A, OPENAI_API_KEY] | env[1]          | false
        {provider: openai, allow: [m]}                         | [ANTHROPIC_API_KEY] | env[0]          | false
        [openai]                                               | []                  | models          | false
        """)
    void shouldNameTheFieldWhenModelsAreWrong(String models, String env, String path, boolean onlyTheReaderKnows) {
        CampaignFile file = file("{id: c, command: [cat], env: %s, models: %s}".formatted(env, models));

        assertThat(errors(file, typed(PRICES))).singleElement().asString().contains("branches[0]." + path);
        assertThat(PublishedSchema.CAMPAIGN.violations(file.document()).isEmpty())
                .isEqualTo(onlyTheReaderKnows);
    }

    @Test
    void shouldAskForPricesInPlaceOfTheMostThatAnAttemptCostsWhenAProgramMayAskModels() {
        CampaignFile budgeted = file("{id: c, command: [cat], models: {provider: openai, allow: [m]}}")
                .with("/limits", "{budgetUsd: 1}");

        assertThat(errors(budgeted, typed(PRICES))).isEmpty();
        assertThat(errors(budgeted, typed(Map.of())))
                .singleElement()
                .asString()
                .contains("branches[0].models.allow[0]", "budgetUsd");
        assertThat(errors(file(MODELS), typed(Map.of()))).hasSize(2).allMatch(error -> error.contains("maxCostUsd"));
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
