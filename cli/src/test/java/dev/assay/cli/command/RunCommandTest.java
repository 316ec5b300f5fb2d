package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.report.CampaignSize;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.FakeApi;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.usage.Price;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {

    private static final String CAMPAIGN = """
        name: capitals
        cases:
          - {id: france, prompt: What is the capital of France?, tags: [geo]}
          - {id: spain, prompt: What is the capital of Spain?}
        branches:
          - {id: small, kind: scripted, script: {answers: [Paris]}}
        """;

    private final FakeApi api = new FakeApi();

    @TempDir
    Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void writeCampaign() throws IOException {
        file = Files.writeString(directory.resolve("campaign.yaml"), CAMPAIGN);
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private CommandRun run(String... options) {
        String[] arguments = new String[options.length + 4];
        arguments[0] = "run";
        arguments[1] = file.toString();
        arguments[2] = "--server";
        arguments[3] = api.url();
        System.arraycopy(options, 0, arguments, 4, options.length);
        return CommandRun.of(arguments);
    }

    @Test
    void shouldExitZeroAndShowATableWhenEveryCasePasses() {
        CommandRun run = run();
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("small", "100.0 % (2/2)", "2/2", "$0.0012", "400 ms")
                .as("of two outcomes the 95th percentile says nothing")
                .doesNotContain("1.2 s");
        assertThat(run.out().strip().lines().toList().getLast()).startsWith("Passed:");
        assertThat(run.out()).contains(api.url() + "/api/v1/campaigns/c-1/outcomes");
        assertThat(run.err()).contains("Campaign c-1", "2/2 cells");
    }

    @Test
    void shouldExitWithTheGateWhenCasesFailOrCannotBeJudged() {
        api.summary(FakeApi.summary(1, 0));
        CommandRun failed = run();
        assertThat(failed.code()).isEqualTo(100);
        assertThat(failed.out().strip().lines().toList().getLast())
                .isEqualTo("Failed: 1 of 2 cases on branch small failed; every case must pass.");
        api.summary(FakeApi.summary(1, 1));
        assertThat(run("--ci").code()).isEqualTo(101);
        api.summary(FakeApi.summary(0, 0));
        assertThat(run("--no-fail").code()).isZero();
    }

    @Test
    void shouldPrintOnlyTheSummaryWhenJsonIsAsked() {
        CommandRun run = run("--json");
        JsonNode summary = Json.tree(run.out());
        assertThat(summary.get("suite_pass").booleanValue()).isTrue();
        assertThat(summary.get("suite_pass_rate").doubleValue()).isEqualTo(1.0);
        assertThat(summary.get("trials_per_case").intValue()).isEqualTo(1);
        assertThat(summary.get("parallel").intValue()).isEqualTo(20);
        assertThat(summary.get("cases")).hasSize(2);
        assertThat(summary.get("cases").get(1).get("trials")).hasSize(1);
        assertThat(summary.get("branches").get("small").get("cases")).hasSize(2);
        assertThat(summary.get("exit_code").intValue()).isZero();
        assertThat(summary.at("/rule/code").intValue()).isZero();
        assertThat(summary.at("/rule/verdict").asText()).isEqualTo("PASS");
    }

    @Test
    void shouldWaitForItsFilesWhenTheServerWritesThoseOfOthers() throws IOException {
        api.states("COMPLETED").busy(2);
        Path output = directory.resolve("runs");
        Path junit = directory.resolve("junit.xml");

        CommandRun run = run("--json", "--output", output.toString(), "--junit", junit.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(Json.tree(run.out()).path("suite_pass").booleanValue()).isTrue();
        assertThat(junit).content().contains("<testsuite name=\"world.small\"");
        assertThat(output.resolve("2026-01-01T00-00-00Z/france/trial-1/stdout.txt"))
                .hasContent("Paris");
    }

    @Test
    void shouldSubmitWhichRuleDecidesWhenTheFileSaysNone() {
        run();
        assertThat(api.submitted().at("/gate/suiteThreshold").doubleValue()).isEqualTo(1);
    }

    @Test
    void shouldLeaveOutReducersThatNeedMoreTrialsWhenTheOptionGivesFewer() throws IOException {
        Files.writeString(file, CAMPAIGN + "trials: 5\nreducers: [pass_at_5, mean, pass_k_2]\n");
        CommandRun run = run("--trials", "2");
        assertThat(api.submitted().get("reducers").toString()).isEqualTo("[\"mean\",\"pass_k_2\"]");
        assertThat(run.err()).contains("need more trials than --trials: pass_at_5");
    }

    @Test
    void shouldLeaveTheGateAsItIsWhenItNamesARuleOrCiIsGiven() throws IOException {
        run("--ci");
        assertThat(api.submitted().has("gate")).isFalse();
        Files.writeString(file, CAMPAIGN + "gate: {rule: {threshold: 0.5}}\n");
        run();
        assertThat(api.requests().stream()
                        .filter(request -> request.method().equals("POST"))
                        .map(request -> Json.tree(request.body()))
                        .toList()
                        .getLast()
                        .get("gate")
                        .has("suiteThreshold"))
                .isFalse();
    }

    @Test
    void shouldSubmitTheFileWithTheOptionsAppliedWhenRun() {
        run(
                "--trials",
                "3",
                "--parallel",
                "7",
                "--max-outage",
                "PT30M",
                "--threshold",
                "0.5",
                "--suite-threshold",
                "0.25",
                "--tag",
                "geo",
                "--metadata",
                "commit=3f2a91c",
                "--metadata=branch=a,b=c");
        JsonNode submitted = api.submitted();
        assertThat(submitted.get("trials").intValue()).isEqualTo(3);
        assertThat(submitted.at("/limits/maxConcurrent").intValue()).isEqualTo(7);
        assertThat(submitted.at("/limits/maxOutage").textValue()).isEqualTo("PT30M");
        assertThat(submitted.at("/gate/passThreshold").doubleValue()).isEqualTo(0.5);
        assertThat(submitted.at("/gate/suiteThreshold").doubleValue()).isEqualTo(0.25);
        assertThat(submitted.get("cases")).hasSize(1);
        assertThat(submitted.at("/cases/0/id").textValue()).isEqualTo("france");
        assertThat(submitted.at("/metadata/commit").textValue()).isEqualTo("3f2a91c");
        assertThat(submitted.at("/metadata/branch").textValue()).isEqualTo("a,b=c");
    }

    @Test
    void shouldExitTwoAndSubmitNothingWhenUsageOrFileIsBad() {
        assertThat(run("--no-such-option").code()).isEqualTo(2);
        for (String share : List.of("NaN", "nan", "1.1", "-0.1", "half", "")) {
            for (String option : List.of("--threshold", "--suite-threshold")) {
                CommandRun bad = run(option, share);
                assertThat(bad.code()).isEqualTo(2);
                assertThat(bad.err())
                        .contains(
                                "EVAL_INVALID_THRESHOLD: " + option + " must be a number from 0 to 1, but is " + share);
            }
        }
        assertThat(run("--trials", "many").code()).isEqualTo(2);
        assertThat(run("--case", "italy").err()).contains("italy: the suite has no such case");
        CommandRun missing = CommandRun.of("run", directory.resolve("none.yaml").toString(), "--server", api.url());
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains("There is no file").contains("none.yaml");
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void shouldShowEveryErrorWithItsPathWhenTheServerRefuses() {
        api.refuse("""
            {"type":"about:blank","title":"Invalid","status":422,"code":"INVALID_INPUT","detail":"The campaign has errors.",
            "errors":[{"path":"branches[0].model","message":"Name a model."},{"path":"trials","message":"Too many."}]}\
            """);
        CommandRun run = run();
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("branches[0].model: Name a model.", "trials: Too many.");
        assertThat(run.out()).isEmpty();
    }

    private static final String ASKS_GPT = """
        name: capitals
        trials: 50
        cases: [{id: france, prompt: Capital?}, {id: spain, prompt: Capital?}]
        branches: [{id: small, provider: local, model: gpt, parameters: {maxOutputTokens: 50}}]
        """;

    private static final String REFUSED = """
        {"type":"about:blank","title":"Invalid","status":422,"code":"INVALID_INPUT","detail":"The campaign has errors.",
        "errors":[{"path":"branches[0].provider","message":"No worker offers it."}]}\
        """;

    private static String plan(BigDecimal price) {
        Map<String, Price> prices = Map.of("gpt", new Price(price, price, price, price));
        ProviderInfo local = new ProviderInfo("local", true, null, 10, 1_000, prices);
        return Json.write(
                CampaignSize.of(CampaignReader.readForServer(CampaignDocument.parse(ASKS_GPT)), Map.of("local", local))
                        .estimate());
    }

    @Test
    void shouldWarnOfTheCostWithThePricesOfTheServer() throws IOException {
        api.plan(plan(BigDecimal.valueOf(1_000)));
        Files.writeString(file, ASKS_GPT);

        CommandRun run = run();

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err().lines())
                .first(STRING)
                .startsWith("EVAL_COST_WARNING: 2 cases × 1 branch × 50 trials = 100 cells: 100 calls, at most ")
                .contains("cost at most $")
                .endsWith("Each may cost money.");
        assertThat(api.requests().getFirst().path()).isEqualTo("/api/v1/campaigns/plan");
        assertThat(Json.tree(api.requests().getFirst().body())).isEqualTo(api.submitted());
    }

    @Test
    void shouldGoOnWithOneSentenceWhenTheServerGivesNoPlan() throws IOException {
        Files.writeString(file, ASKS_GPT);

        CommandRun run = run();

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err().lines().limit(2))
                .containsExactly(
                        "The server's prices are missing from this warning, because its plan failed: There is no"
                                + " /api/v1/campaigns/plan.",
                        "EVAL_COST_WARNING: 2 cases × 1 branch × 50 trials = 100 cells: 100 calls, at most 5,200 tokens"
                                + " by declared limits, cost unknown. Each may cost money.");
        api.plan("{\"cases\":2}");
        assertThat(run().err())
                .startsWith("The server's prices are missing from this warning, because its plan failed: ");
    }

    @Test
    void shouldNameTheErrorsAloneWhenTheServerPlansNoSuchCampaign() throws IOException {
        api.plan(REFUSED);
        Files.writeString(file, ASKS_GPT);

        CommandRun run = run();

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines())
                .containsExactly(
                        "branches[0].provider: No worker offers it.", "assay: 1 error; nothing was stored or started.");
        assertThat(api.requests()).hasSize(1);
    }

    @Test
    void shouldAskForNoPlanWhenTheCampaignIsSmall() {
        assertThat(run().err()).doesNotContain("EVAL_COST_WARNING");
        assertThat(api.requests()).noneMatch(request -> request.path().endsWith("/plan"));
    }

    @Test
    void shouldExitOneWithTheReasonWhenTheCampaignCannotGoOn() {
        api.states("FAILED");
        CommandRun failed = run();
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).contains("three restarts without progress");
        api.states("PAUSED");
        assertThat(run().err()).contains("assay resume c-1");
    }

    @Test
    void shouldExitOneWhenNoServerAnswers() {
        api.close();
        CommandRun run = run();
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("does not answer");
    }

    @Test
    void shouldRepeatTheWarningsOfTheServer() {
        assertThat(run().err()).contains("Warning: LATER: Known to a later build.");
    }

    @Test
    void shouldEndAndSaySoWhenAnOperatorEndedTheWorkflow() {
        api.states("RUNNING", "ENDED_IN_TEMPORAL");
        CommandRun run = run();
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err().lines().toList().getLast())
                .isEqualTo("assay: The campaign does not go on. Its workflow was terminated.");
    }

    @Test
    void shouldGoOnFollowingWhenTheServerFailsForAMoment() {
        api.states("RUNNING", "DOWN", "RUNNING", "COMPLETED");
        CommandRun run = run();
        assertThat(run.code()).as(run.err()).isZero();
    }

    @Test
    void shouldWriteTheCassetteWhenRecording() throws IOException {
        Path cassette = directory.resolve("answers.jsonl");
        assertThat(run("--record", cassette.toString()).code()).isZero();
        assertThat(cassette).hasContent("{\"key\":\"k\"}");
        assertThat(run("--record", directory.resolve("no/such/place").toString())
                        .code())
                .isEqualTo(2);
    }

    @Test
    void shouldResumeAndFollowWhenAskedTo() {
        CommandRun run = CommandRun.of("resume", "c-1", "--server", api.url());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(api.requests()).extracting(FakeApi.Request::path).contains("/api/v1/campaigns/c-1/resume");
    }

    @Test
    void shouldPauseListAndShowWhenAskedTo() {
        assertThat(CommandRun.of("pause", "c-1", "--server", api.url()).out()).contains("assay resume c-1");
        assertThat(CommandRun.of("cancel", "c-1", "--server", api.url()).code()).isZero();
        assertThat(CommandRun.of("list", "--server", api.url()).out()).contains("c-1", "PAUSED", "1/2", "ada");
        assertThat(CommandRun.of("status", "--server", api.url()).out()).contains("c-1");
        api.states("COMPLETED");
        assertThat(CommandRun.of("show", "c-1", "--server", api.url()).out()).contains("small", "100.0 %");
        CommandRun unknown = CommandRun.of("show", "c-2", "--server", api.url());
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("There is no");
    }
}
