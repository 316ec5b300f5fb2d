package dev.assay.cli.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.testing.FakeApi;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.usage.Usage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.maven.plugin.surefire.log.api.NullConsoleLogger;
import org.apache.maven.plugins.surefire.report.ReportTestCase;
import org.apache.maven.plugins.surefire.report.ReportTestSuite;
import org.apache.maven.plugins.surefire.report.TestSuiteXmlParser;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RunReportsTest {

    @TempDir
    Path directory;

    private final StringWriter err = new StringWriter();

    /** A case of trials that ended so: passed, failed, error or skipped. */
    private record Ended(String caseId, List<String> statuses) {}

    private static CampaignSummary summary(List<Ended> cases, double threshold, String... branches) {
        return summary(cases, new GatePolicy(threshold, null, List.of()), branches);
    }

    private static CampaignSummary summary(List<Ended> cases, GatePolicy gate, String... branches) {
        List<String> ids = cases.stream().map(Ended::caseId).toList();
        int trials = cases.getFirst().statuses().size();
        CampaignTally tally = new CampaignTally(new TrialGrid(cases.size(), trials), ids, List.of(branches), gate);
        for (int branch = 0; branch < branches.length; branch++) {
            for (int i = 0; i < cases.size(); i++) {
                for (int trial = 1; trial <= trials; trial++) {
                    add(tally, i, trial, branch, cases.get(i).statuses().get(trial - 1));
                }
            }
        }
        return tally.summarize();
    }

    private static void add(CampaignTally tally, int index, int trial, int branch, String status) {
        if (!status.equals("skipped")) {
            OutcomeStatus ended = status.equals("error") ? OutcomeStatus.MODEL_ERROR : OutcomeStatus.COMPLETED;
            tally.add(new OutcomeFact(index, trial, branch, ended, status.equals("passed"), Usage.NONE, null, 1_500));
        }
    }

    private static ObjectNode outcome(String caseId, String branchId, int trial, String status) {
        ObjectNode outcome = Json.mapper().createObjectNode();
        outcome.put("caseId", caseId).put("branchId", branchId).put("trial", trial);
        outcome.put("status", status.equals("error") ? "MODEL_ERROR" : "COMPLETED");
        outcome.put("passed", status.equals("passed")).put("latencyMs", 1_500).put("commandCount", 0);
        outcome.put("response", "said " + caseId);
        outcome.putObject("usage").put("input", 0).put("output", 0).put("total", 0);
        if (status.equals("error")) {
            outcome.putObject("error").put("code", "PROVIDER_TIMEOUT").put("message", "no answer \u001b[31m & <more>");
        }
        if (status.equals("failed")) {
            outcome.putArray("checks")
                    .addObject()
                    .put("type", "contains")
                    .put("status", "FAILED")
                    .put("reason", "Expected \u0000 ]]> | pipe")
                    .put("required", true);
        }
        return outcome;
    }

    private static TrialResults results(List<Ended> cases, String... branches) {
        TrialResults results = new TrialResults();
        for (String branch : branches) {
            for (Ended one : cases) {
                for (int trial = 1; trial <= one.statuses().size(); trial++) {
                    String status = one.statuses().get(trial - 1);
                    if (!status.equals("skipped")) {
                        results.add(outcome(one.caseId(), branch, trial, status));
                    }
                }
            }
        }
        return results;
    }

    private static ExitRule rule(CampaignSummary summary) {
        return ExitRule.decide(summary, false);
    }

    /** Bytes, not text: a program may print anything. */
    private static byte[] file(String name) {
        return new byte[] {0, (byte) 0xff, (byte) name.length()};
    }

    private RunArtifacts artifacts(Path run, boolean hasBranches) {
        return new RunArtifacts(run, hasBranches, new PrintWriter(err, true));
    }

    @TestFactory
    Stream<DynamicTest> shouldHaveFastSkillsLayoutAndFieldsWhenTheVectorsAreWritten() {
        return vectors("artifacts")
                .map(vector -> DynamicTest.dynamicTest(
                        vector.path("id").asText(),
                        () -> assertArtifacts(vector.get("input"), vector.get("expected"))));
    }

    private static Stream<JsonNode> vectors(String function) {
        JsonNode all = read(Path.of("..", "domain", "src", "test", "resources", "vectors", "fastskill.json"));
        return StreamSupport.stream(all.spliterator(), false)
                .filter(vector -> vector.path("function").asText().equals(function));
    }

    private void assertArtifacts(JsonNode input, JsonNode expected) throws IOException {
        List<Ended> cases = new ArrayList<>();
        TrialResults results = new TrialResults();
        Path run = Files.createTempDirectory(directory, "run");
        RunArtifacts artifacts = artifacts(run, false);
        for (JsonNode one : input.get("cases")) {
            List<String> statuses = new ArrayList<>();
            for (JsonNode trial : one.get("trials")) {
                statuses.add(trial.get("status").textValue());
                ObjectNode outcome = asListed(one.get("id").textValue(), trial);
                artifacts.trial(outcome, results.add(outcome), RunReportsTest::file);
            }
            cases.add(new Ended(one.get("id").textValue(), statuses));
        }
        Double suite = input.get("ci").booleanValue() ? null : 1.0;
        GatePolicy gate = new GatePolicy(input.get("passThreshold").doubleValue(), suite, List.of());
        CampaignSummary summary = summary(cases, gate, "b");
        ExitRule rule = rule(summary);
        RunOrigin origin =
                new RunOrigin(input.get("agent").textValue(), input.get("model").textValue(), null, null);
        SummaryJson.Run how = new SummaryJson.Run(input.get("parallel"), run.toString());
        artifacts.finish(summary, results, new SummaryJson(results, origin).write(campaign(), summary, rule, how));

        expected.get("json")
                .properties()
                .forEach(file -> assertHolds(read(run.resolve(file.getKey())), file.getValue()));
        expected.get("alsoPresent")
                .forEach(file -> assertThat(run.resolve(file.textValue())).exists());
        assertThat(err.toString()).isEmpty();
    }

    private static ObjectNode asListed(String caseId, JsonNode trial) {
        ObjectNode outcome = outcome(
                caseId,
                "b",
                trial.get("trial_id").intValue(),
                trial.get("status").textValue());
        outcome.remove("error");
        ArrayNode checks = outcome.putArray("checks");
        trial.get("check_results")
                .forEach(check -> checks.addObject()
                        .put("type", check.get("check_name").textValue())
                        .put("status", check.get("passed").booleanValue() ? "PASSED" : "FAILED")
                        .put("reason", "why"));
        outcome.set("commandCount", trial.get("command_count"));
        if (trial.get("input_tokens").isNumber()) {
            ObjectNode usage = outcome.putObject("usage").put("total", 1);
            usage.set("input", trial.get("input_tokens"));
            usage.set("output", trial.get("output_tokens"));
        }
        return outcome;
    }

    /** Names and values of {@code expected} are there; others may be. */
    private static void assertHolds(JsonNode actual, JsonNode expected) {
        if (expected.isObject()) {
            expected.properties().forEach(field -> {
                assertThat(actual.has(field.getKey())).as(field.getKey()).isTrue();
                assertHolds(actual.get(field.getKey()), field.getValue());
            });
        } else if (expected.isArray()) {
            assertThat(actual).hasSameSizeAs(expected);
            IntStream.range(0, expected.size()).forEach(i -> assertHolds(actual.get(i), expected.get(i)));
        } else if (expected.isNumber()) {
            assertThat(actual.doubleValue()).isEqualTo(expected.doubleValue());
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }

    private static JsonNode read(Path file) {
        try {
            return Json.tree(Files.readString(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static RemoteCampaign campaign() {
        return AssayApi.view(Json.tree(FakeApi.completed()));
    }

    @TestFactory
    Stream<DynamicTest> shouldBeNamedAfterItsTimeWhenARunBegins() {
        return vectors("runDirectory")
                .map(vector -> DynamicTest.dynamicTest(
                        vector.path("id").asText(),
                        () -> assertDirectory(
                                vector.get("input"), vector.get("expected").textValue())));
    }

    private void assertDirectory(JsonNode input, String expected) throws IOException {
        Path output = Files.createTempDirectory(directory, "output");
        for (JsonNode taken : input.get("existing")) {
            Files.createDirectory(output.resolve(taken.textValue()));
        }
        Path made = RunDirectory.make(output, Instant.parse(input.get("utc").textValue()));
        assertThat(made).isEqualTo(output.resolve(expected)).isDirectory();
    }

    @Test
    void shouldHaveALevelForTheBranchWhenThereAreSeveral() throws IOException {
        List<Ended> cases = List.of(new Ended("a", List.of("passed", "skipped")));
        TrialResults results = new TrialResults();
        RunArtifacts artifacts = artifacts(directory, true);
        ObjectNode outcome = outcome("a", "small", 1, "passed");
        artifacts.trial(outcome, results.add(outcome), RunReportsTest::file);
        artifacts.finish(summary(cases, 1, "small", "large"), results, "{}");

        assertThat(directory.resolve("a/small/trial-1/stdout.txt")).hasBinaryContent(file("stdout.txt"));
        assertThat(directory.resolve("a/small/trial-1/trace.jsonl")).hasBinaryContent(file("trace.jsonl"));
        JsonNode aggregated = read(directory.resolve("a/small/aggregated.json"));
        assertThat(aggregated.at("/trials/1/status").textValue()).isEqualTo("skipped");
        assertThat(aggregated.get("aggregated_status").textValue()).isEqualTo("skipped");
        assertThat(directory.resolve("a/large/aggregated.json")).exists();
    }

    @Test
    void evalTrialArtifactsCorruptIsReportedAndTheRestIsWrittenWhenADiskTakesNoFile() throws IOException {
        List<Ended> cases = List.of(new Ended("a", List.of("passed")), new Ended("b", List.of("passed")));
        Path run = Files.createDirectory(directory.resolve("run"));
        Files.writeString(run.resolve("a"), "in the way of a directory");
        RunArtifacts artifacts = artifacts(run, false);
        TrialResults results = new TrialResults();
        for (Ended one : cases) {
            ObjectNode outcome = outcome(one.caseId(), "small", 1, "passed");
            artifacts.trial(outcome, results.add(outcome), RunReportsTest::file);
        }
        artifacts.finish(summary(cases, 1, "small"), results, "{}");

        assertThat(err.toString().lines().filter(line -> line.startsWith("EVAL_TRIAL_ARTIFACTS_CORRUPT: ")))
                .hasSize(2)
                .allMatch(line -> line.contains("of a, branch small"));
        assertThat(run.resolve("b/trial-1/result.json")).exists();
        assertThat(run.resolve("summary.json")).exists();
    }

    /** Every write to {@code /dev/full} ends as on a full disk. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void evalTrialArtifactsCorruptIsReportedAndTheRestIsWrittenWhenTheDiskIsFull() throws IOException {
        List<Ended> cases = List.of(new Ended("a", List.of("passed")), new Ended("b", List.of("passed")));
        for (String full : List.of("a/trial-1/stdout.txt", "b/aggregated.json", "summary.json")) {
            Path file = directory.resolve(full);
            Files.createDirectories(file.getParent());
            Files.createSymbolicLink(file, Path.of("/dev/full"));
        }
        RunArtifacts artifacts = artifacts(directory, false);
        TrialResults results = new TrialResults();
        for (Ended one : cases) {
            ObjectNode outcome = outcome(one.caseId(), "small", 1, "passed");
            artifacts.trial(outcome, results.add(outcome), RunReportsTest::file);
        }
        artifacts.finish(summary(cases, 1, "small"), results, "{}");

        assertThat(err.toString().lines().filter(line -> line.startsWith("EVAL_TRIAL_ARTIFACTS_CORRUPT: ")))
                .allMatch(line -> line.endsWith("No space left on device"))
                .satisfiesExactly(
                        line -> assertThat(line).contains("of a, branch small, trial 1"),
                        line -> assertThat(line).contains("of b, branch small"),
                        line -> assertThat(line).contains("of summary.json"));
        assertThat(err.toString()).contains("The results themselves are stored");
        assertThat(directory.resolve("b/trial-1/trace.jsonl")).hasBinaryContent(file("trace.jsonl"));
        assertThat(directory.resolve("a/aggregated.json")).isNotEmptyFile();
    }

    @Test
    void shouldNotLeaveItsDirectoryWhenAServerNamesOtherIds() throws IOException {
        Path run = Files.createDirectory(directory.resolve("run"));
        for (String id : List.of("../escaped", "..", "a/b", "\u0000")) {
            ObjectNode outcome = outcome(id, "small", 1, "passed");
            artifacts(run, false).trial(outcome, Json.mapper().createObjectNode(), RunReportsTest::file);
        }
        assertThat(err.toString().lines().filter(line -> line.startsWith("EVAL_TRIAL_ARTIFACTS_CORRUPT")))
                .hasSize(4);
        assertThat(run).isEmptyDirectory();
        assertThat(directory.resolve("escaped")).doesNotExist();
    }

    private static final List<Ended> MIXED = List.of(
            new Ended("fine", List.of("passed", "passed")),
            new Ended("flaky", List.of("passed", "failed")),
            new Ended("broken", List.of("error", "error")),
            new Ended("open <&\u0001", List.of("passed", "skipped")));

    private static List<ReportTestSuite> parse(byte[] xml) throws Exception {
        return new TestSuiteXmlParser(new NullConsoleLogger())
                .parse(new InputStreamReader(new ByteArrayInputStream(xml), StandardCharsets.UTF_8));
    }

    @Test
    void shouldBeReadByAnotherParserWhenJunitIsWritten() throws Exception {
        CampaignSummary summary = summary(MIXED, 1, "small", "large");
        byte[] xml = JunitReport.of(summary, results(MIXED, "small", "large"), "my.suite");

        List<ReportTestSuite> suites = parse(xml);
        assertThat(suites)
                .extracting(ReportTestSuite::getFullClassName)
                .containsExactly("my.suite.small", "my.suite.large");
        assertThat(new String(xml, StandardCharsets.UTF_8))
                .contains("<property name=\"verdict\" value=\"FAIL\"/>", "<property name=\"rule\" value=\"Failed: ");
        ReportTestSuite suite = suites.getFirst();
        assertThat(suite.getNumberOfTests()).isEqualTo(4);
        assertThat(suite.getNumberOfFailures()).isEqualTo(1);
        assertThat(suite.getNumberOfErrors()).isEqualTo(1);
        assertThat(suite.getNumberOfSkipped()).isEqualTo(1);
        List<ReportTestCase> cases = suite.getTestCases();
        assertThat(cases)
                .extracting(ReportTestCase::getName)
                .containsExactly("fine", "flaky", "broken", "open <&\uFFFD");
        assertThat(cases).extracting(ReportTestCase::getFullClassName).containsOnly("my.suite.small");
        assertThat(cases.get(1).getFailureMessage()).contains("1 of 2 trials passed (50.0 %)", "below 100.0 %");
        assertThat(cases.get(1).getFailureDetail()).contains("trial 2: contains: Expected ]]> | pipe");
        assertThat(cases.get(2).hasError()).isTrue();
        assertThat(cases.get(2).getFailureDetail()).contains("trial 1: no answer");
        assertThat(cases.get(3).hasSkipped()).isTrue();
        assertThat(cases.get(0).getTime()).isEqualTo(3.0f);
    }

    @Test
    void shouldStayBelowItsBoundWhenThereAreManyCases() throws Exception {
        List<Ended> many = IntStream.range(0, 60_000)
                .mapToObj(i -> new Ended("x".repeat(100) + i, List.of(i % 2 == 0 ? "failed" : "passed")))
                .toList();
        CampaignSummary summary = summary(many, 1, "small");
        TrialResults results = results(many, "small");

        String junit = new String(JunitReport.of(summary, results, "s".repeat(300)), StandardCharsets.UTF_8);
        assertThat(junit.length()).isBetween(20_000_000, 30_000_000);
        assertThat(junit).contains("tests=\"60000\"", "test cases are left out").endsWith("</testsuite></testsuites>");
        String markdown = MarkdownReport.of("name", "id", summary, results, rule(summary), MarkdownReport.MAX_BYTES);
        assertThat(markdown.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(1_000_000);
        assertThat(markdown).contains("more cases are left out here.");
    }

    @Test
    void shouldShowTheWorstFirstAndObeyNoMarksWhenMarkdownIsWritten() {
        CampaignSummary summary = summary(MIXED, 0.5, "small");
        String markdown = MarkdownReport.of(
                "<b>*n*</b>|", "id", summary, results(MIXED, "small"), rule(summary), MarkdownReport.MAX_BYTES);

        assertThat(markdown).startsWith("## &#60;b&#62;&#42;n&#42;&#60;/b&#62;&#124;: PASS\n");
        List<String> rows =
                markdown.lines().filter(line -> line.endsWith(" |")).skip(3).toList();
        assertThat(rows).extracting(row -> row.split(" ")[1]).containsExactly("broken", "flaky", "fine", "open");
        assertThat(rows.get(1)).contains("passed, flaky", "1/2", " %");
        assertThat(markdown).doesNotContain("\u001b").doesNotContain("\u0000").doesNotContain("] pipe");
    }

    @Test
    void evalCaseTimeoutStandsInTheResultWhenATrialTimedOut() {
        ObjectNode outcome = outcome("a", "small", 1, "error").put("status", "TIMED_OUT");
        ObjectNode result = new TrialResults().add(outcome);
        assertThat(result.get("status").textValue()).isEqualTo("error");
        assertThat(result.get("error_message").textValue()).startsWith("EVAL_CASE_TIMEOUT: no answer");
        assertThat(result.get("exit_code").isNull()).isTrue();
        assertThat(new TrialResults()
                        .add(outcome.put("exitCode", 3))
                        .get("exit_code")
                        .intValue())
                .isEqualTo(3);
    }
}
