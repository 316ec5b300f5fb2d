package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A campaign whose pattern is known: what the command line and the API say of it. */
@Tag("slow")
class CampaignReportTest {

    /** Of twelve cases eight always pass, two pass three trials of four, two none. */
    private static final String CASES = """
        cases:
          - {id: a1, prompt: Capital of France?}
          - {id: a2, prompt: Capital of France?}
          - {id: a3, prompt: Capital of France?}
          - {id: a4, prompt: Capital of France?}
          - {id: a5, prompt: Capital of France?}
          - {id: a6, prompt: Capital of France?}
          - {id: a7, prompt: Capital of France?}
          - {id: a8, prompt: Capital of France?}
          - {id: flaky2, prompt: Capital of France?, checks: [{type: icontains, value: Paris}]}
          - {id: flaky1, prompt: Capital of France?, checks: [{type: icontains, value: Paris}]}
          - {id: never1, prompt: Capital of France?, checks: [{type: icontains, value: London}]}
          - {id: never2, prompt: Capital of France?, checks: [{type: icontains, value: London}]}
        branches:
          - {id: only, kind: scripted, script: {answers: [Paris, Rome, Paris, Paris]}}
        trials: 4
        name: pattern
        """;

    @TempDir
    Path temporary;

    private AssayServer server;

    @BeforeEach
    void start() {
        server = InProcessServer.start(temporary.resolve("data"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldSayTheSameByEveryDoorWhenThePatternIsKnown() throws Exception {
        CommandRun run = run("""
            metadata: {commit: 3f2a91c, branch: main}
            reducers: [pass_at_4, pass_k_4, at_least_3, mean]
            gate: {passThreshold: 0.75, suiteThreshold: 0.8, maxErrorRate: 0}
            """, "--json");

        assertThat(run.code()).as(run.err() + run.out()).isZero();
        JsonNode summary = Json.tree(run.out());
        assertThat(summary.path("verdict").asText()).isEqualTo("PASS");
        assertThat(summary.at("/rule/code").intValue()).isZero();
        assertThat(summary.at("/rule/verdict").asText()).isEqualTo("PASS");
        checkBranch(
                summary.at("/branches/only"),
                "suite_rate",
                "trial_rate",
                new PropertyNamingStrategies.SnakeCaseStrategy());
        String id = summary.path("campaign_id").asText();
        JsonNode report = Json.tree(get("/api/v1/campaigns/" + id + "/report").body());
        checkBranch(
                report.at("/branches/0"),
                "suitePassRate",
                "trialPassRate",
                new PropertyNamingStrategies.LowerCamelCaseStrategy());
        assertThat(report.path("rerunAgreement")).isEqualTo(summary.path("rerun_agreement"));
        assertThat(get("/api/v1/campaigns/" + id + "/report").body())
                .isEqualTo(get("/api/v1/campaigns/" + id + "/report").body());
        JsonNode progress =
                Json.tree(get("/api/v1/campaigns/" + id + "/progress").body());
        assertThat(progress.at("/branches/0/passRate/value").doubleValue()).isCloseTo(38 / 48.0, within(1e-12));
        assertThat(progress.at("/branches/0/passRate/low").doubleValue())
                .as("an interval that may be watched is wider than one that is looked at once")
                .isLessThan(report.at("/branches/0/trialPassRate/suiteLow").doubleValue());

        assertThat(summary.at("/metadata/commit").asText()).isEqualTo("3f2a91c");
        assertThat(CommandRun.of("show", id, "--server", url()).out())
                .contains("Metadata: branch=main, commit=3f2a91c");

        CommandRun cases = CommandRun.of("show", id, "--branch", "only", "--cases", "flaky", "--server", url());
        assertThat(cases.code()).as(cases.err()).isZero();
        assertThat(cases.out().lines().skip(1).map(line -> line.split(" ")[0])).containsExactly("flaky1", "flaky2");
        assertThat(CommandRun.of("show", id, "--cases", "failed", "--server", url())
                        .out()
                        .lines()
                        .skip(1)
                        .map(line -> line.split(" ")[0]))
                .containsExactly("never1", "never2");
        assertThat(CommandRun.of("show", id, "--branch", "none", "--server", url())
                        .err())
                .contains("--branch none", "only");
        assertThat(CommandRun.of("show", id, "--cases", "some", "--server", url())
                        .code())
                .isEqualTo(2);
        beside(id);
        scored();
    }

    /** What checks come to: a threshold of a case, a group, metrics, and reducers of scores, two of which --trials leaves. */
    private void scored() throws Exception {
        Path file = Files.writeString(temporary.resolve("scored.yaml"), """
            name: scored
            cases:
              - id: half
                prompt: Where?
                threshold: 0.5
                checks: [{type: contains, value: Paris, metric: place}, {type: contains, value: Rome}]
              - id: grouped
                prompt: Where?
                checks:
                  - type: group
                    threshold: 0.5
                    checks:
                      - {type: rouge-n, value: Paris is here, metric: place, weight: 3}
                      - {type: refusal, not: true}
                  - {type: cost, threshold: 1, required: false}
            branches: [{id: only, kind: scripted, script: {answers: [Paris, Rome]}}]
            trials: 5
            reducers: [mean, max, pass_at_5]
            """);
        CommandRun run = CommandRun.of("run", file.toString(), "--trials", "2", "--json", "--server", url());

        assertThat(run.code()).as(run.err()).isEqualTo(100);
        JsonNode summary = Json.tree(run.out());
        JsonNode branch = summary.at("/branches/only");
        assertThat(branch.at("/reducers/mean/value").doubleValue()).isEqualTo(0.5);
        assertThat(branch.at("/reducers/mean/undefined").intValue()).isEqualTo(1);
        assertThat(branch.at("/reducers/pass_at_5/value").isNull()).isTrue();
        assertThat(branch.at("/reducers/pass_at_5/why").asText()).isEqualTo("TOO_FEW_TRIALS");
        JsonNode half = branch.at("/cases/0");
        assertThat(half.path("status").asText()).isEqualTo("passed");
        assertThat(half.at("/reducers/max").doubleValue()).isEqualTo(0.5);
        assertThat(half.at("/trials/1/score").doubleValue()).isEqualTo(0.5);
        assertThat(half.at("/trials/1/metrics/place").doubleValue()).isZero();
        String outcomes = "/api/v1/campaigns/" + summary.path("campaign_id").asText() + "/outcomes?caseId=grouped";
        JsonNode first = Json.tree(get(outcomes).body()).at("/items/0");
        assertThat(first.path("passed").booleanValue()).isTrue();
        assertThat(first.path("score").isNull()).as("what it cost is not known").isTrue();
        assertThat(first.at("/metrics/place").doubleValue()).isEqualTo(0.5);
        assertThat(first.at("/checks/0/score").doubleValue()).isEqualTo(0.625);
        assertThat(first.at("/checks/0/checks/1/type").asText()).isEqualTo("refusal");
        assertThat(first.at("/checks/1/status").asText()).isEqualTo("UNSCORED");
    }

    private static void checkBranch(
            JsonNode branch, String suite, String trials, PropertyNamingStrategies.NamingBase style) {
        assertThat(branch.at("/" + suite + "/successes").intValue()).isEqualTo(10);
        assertThat(branch.at("/" + suite + "/method").asText()).isEqualTo("clopper-pearson");
        assertThat(branch.at("/" + trials + "/value").doubleValue()).isCloseTo(38 / 48.0, within(1e-12));
        assertThat(branch.at("/" + trials + "/method").asText()).isEqualTo("korn-graubard");
        assertThat(branch.at("/" + trials + "/effective").doubleValue()).isBetween(12.0, 20.0);
        assertThat(branch.at("/" + trials + "/cases").intValue()).isEqualTo(12);
        assertThat(branch.path(style.translate("flakyCases")).findValuesAsText(style.translate("caseId")))
                .containsExactly("flaky1", "flaky2");
        assertThat(branch.at("/" + style.translate("flakyCases") + "/0/disagreement")
                        .doubleValue())
                .isEqualTo(0.5);
        assertThat(branch.at("/" + style.translate("flakyShare") + "/successes").intValue())
                .isEqualTo(2);
        assertThat(branch.path(style.translate("rerunAgreement")).doubleValue()).isBetween(0.3, 0.99);
        assertThat(branch.at("/reducers/pass_at_4/value").doubleValue()).isCloseTo(10 / 12.0, within(1e-12));
        assertThat(branch.at("/reducers/pass_k_4/value").doubleValue()).isCloseTo(8 / 12.0, within(1e-12));
        assertThat(branch.at("/reducers/at_least_3/value").doubleValue()).isCloseTo(10 / 12.0, within(1e-12));
        assertThat(branch.at("/reducers/mean/value").doubleValue()).isCloseTo(38 / 48.0, within(1e-12));
    }

    /** The same again beside the first, by a rule, by every case, and where nobody can repeat it. */
    private void beside(String first) throws Exception {
        CommandRun same = run("gate: {baseline: {campaign: " + first + ", maxDrop: 0.3}}", "--json");
        assertThat(same.code()).as(same.out()).isZero();
        assertThat(Json.tree(same.out()).at("/baselines/0/difference/cases").intValue())
                .isEqualTo(12);
        CommandRun unsure = run("gate: {rule: {metric: trial-rate, threshold: 0.8}}");
        assertThat(unsure.code()).isEqualTo(101);
        assertThat(unsure.out()).contains("too few to be sure of a trial rate of 80 %");
        CommandRun every = run("gate: {passThreshold: 0.75}", "--json");
        assertThat(every.code()).isEqualTo(100);
        assertThat(Json.tree(every.out()).path("verdict").asText()).isEqualTo("FAIL");
        assertThat(Json.tree(every.out()).path("suite_pass").booleanValue()).isFalse();
        CommandRun table = run("gate: {passThreshold: 0.75, suiteThreshold: 0.8, minAgreement: 1}");
        assertThat(table.code()).isEqualTo(101);
        assertThat(table.out())
                .contains("Run again, this gate would pass in ", " %): 2 flaky cases decide it.")
                .contains("Inconclusive: run again, this gate would say the same in ");
        ObjectNode unknown = Json.mapper().createObjectNode().put("name", "unknown");
        unknown.putArray("cases").addObject().put("id", "c").put("prompt", "p");
        unknown.putArray("branches")
                .addObject()
                .put("id", "b")
                .put("kind", "scripted")
                .putObject("script")
                .putArray("answers")
                .add("x");
        unknown.putObject("gate").putObject("baseline").put("campaign", "never-was");
        HttpResponse<String> refused = post(unknown.toString());
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("gate.baseline.campaign", "There is no campaign never-was.");
    }

    private CommandRun run(String more, String... options) throws IOException {
        Path file = Files.writeString(temporary.resolve("campaign.yaml"), CASES + more);
        String[] arguments = new String[4 + options.length];
        System.arraycopy(new String[] {"run", file.toString(), "--server", url()}, 0, arguments, 0, 4);
        System.arraycopy(options, 0, arguments, 4, options.length);
        return CommandRun.of(arguments);
    }

    private String url() {
        return server.api().toString();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url() + path)).GET());
    }

    private HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url() + "/api/v1/campaigns"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
