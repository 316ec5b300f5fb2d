package dev.assay.cli.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.testing.Rendered;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.rendering.CaseTrials;
import dev.assay.domain.rendering.JunitReport;
import dev.assay.domain.rendering.MarkdownReport;
import dev.assay.domain.rendering.RunLayout;
import dev.assay.domain.rendering.TrialResults;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.CaseSummary;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.usage.Usage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
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

    private static CaseTrials results(List<Ended> cases) {
        return (branch, reader) -> {
            for (int i = 0; i < cases.size(); i++) {
                List<String> statuses = cases.get(i).statuses();
                Map<Integer, ObjectNode> known = new HashMap<>();
                for (int trial = 1; trial <= statuses.size(); trial++) {
                    String status = statuses.get(trial - 1);
                    if (!status.equals("skipped")) {
                        ObjectNode outcome = outcome(cases.get(i).caseId(), branch.branchId(), trial, status);
                        known.put(trial, TrialResults.result(outcome));
                    }
                }
                CaseSummary one = branch.cases().get(i);
                reader.read(one, TrialResults.all(one, known));
            }
        };
    }

    private static ExitRule rule(CampaignSummary summary) {
        return ExitRule.decide(summary, false);
    }

    /** Bytes, not text: a program may print anything. */
    private static byte[] file(String name) {
        return new byte[] {0, (byte) 0xff, (byte) name.length()};
    }

    private RunArtifacts artifacts(Path run) {
        return new RunArtifacts(run, new PrintWriter(err, true));
    }

    /** An archive of these files, whose content is that of {@link #file}. */
    private static InputStream archive(String... paths) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String path : paths) {
                zip.putNextEntry(new ZipEntry(path));
                zip.write(file(path));
            }
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    @TestFactory
    Stream<DynamicTest> shouldHaveFastSkillsFieldsWhenTheVectorsAreWritten() {
        return vectors("artifacts")
                .map(vector -> DynamicTest.dynamicTest(
                        vector.path("id").asText(),
                        () -> assertArtifacts(vector.get("input"), vector.get("expected"))));
    }

    private static Stream<JsonNode> vectors(String function) {
        JsonNode all = read(Path.of("..", "documents", "src", "test", "resources", "vectors", "fastskill.json"));
        return StreamSupport.stream(all.spliterator(), false)
                .filter(vector -> vector.path("function").asText().equals(function));
    }

    private void assertArtifacts(JsonNode input, JsonNode expected) throws IOException {
        Map<String, JsonNode> files = new HashMap<>();
        RunLayout layout = new RunLayout(false);
        List<Ended> cases = new ArrayList<>();
        Map<String, Map<Integer, ObjectNode>> results = new HashMap<>();
        for (JsonNode one : input.get("cases")) {
            String caseId = one.get("id").textValue();
            List<String> statuses = new ArrayList<>();
            for (JsonNode trial : one.get("trials")) {
                statuses.add(trial.get("status").textValue());
                ObjectNode result = TrialResults.result(asListed(caseId, trial));
                int number = trial.get("trial_id").intValue();
                results.computeIfAbsent(caseId, any -> new HashMap<>()).put(number, result);
                files.put(layout.trial(caseId, "b", number, RunLayout.RESULT), result);
                RunLayout.TRIAL_FILES.forEach(
                        name -> files.put(layout.trial(caseId, "b", number, name), NullNode.instance));
            }
            cases.add(new Ended(caseId, statuses));
        }
        Double suite = input.get("ci").booleanValue() ? null : 1.0;
        GatePolicy gate = new GatePolicy(input.get("passThreshold").doubleValue(), suite, List.of());
        CampaignSummary summary = summary(cases, gate, "b");
        CaseTrials trials = (branch, reader) -> {
            for (CaseSummary one : branch.cases()) {
                reader.read(one, TrialResults.all(one, results.getOrDefault(one.caseId(), Map.of())));
            }
        };
        trials.forEach(
                summary.branches().getFirst(),
                (one, all) -> files.put(
                        layout.aggregated(one.caseId(), "b"),
                        TrialResults.aggregated(one, all, summary.passThreshold())));
        files.put(RunLayout.SUMMARY, Rendered.summary(summary, rule(summary), trials));

        expected.get("json").properties().forEach(file -> {
            JsonNode known = file.getValue().deepCopy();
            if (file.getKey().equals(RunLayout.SUMMARY)) {
                // The command names them: RunCommandTest.
                ((ObjectNode) known).remove(List.of("agent", "model", "parallel"));
            }
            assertHolds(files.get(file.getKey()), known);
        });
        expected.get("alsoPresent").forEach(file -> assertThat(files).containsKey(file.textValue()));
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

    @Test
    void shouldKeepWhatATrialDidNotReportNullAndCountTheTrialsThatDidNotBesideTheSums() {
        List<Ended> cases = List.of(new Ended("a", List.of("passed", "passed", "passed", "error", "passed")));
        Map<Integer, ObjectNode> results = new HashMap<>();
        List<String> usages = List.of(
                "{\"input\": 7, \"output\": 2, \"total\": 9}",
                "{\"input\": 7, \"output\": null, \"total\": null}",
                "{\"input\": null, \"output\": null, \"total\": null}",
                "{\"input\": 0, \"output\": 0, \"total\": 0}",
                "{\"input\": 0, \"output\": 0, \"total\": 0}");
        for (int trial = 1; trial <= 5; trial++) {
            ObjectNode outcome =
                    outcome("a", "b", trial, cases.getFirst().statuses().get(trial - 1));
            outcome.set("usage", Json.tree(usages.get(trial - 1)));
            ObjectNode result = TrialResults.result(outcome);
            results.put(trial, result);
            if (trial == 2) {
                assertThat(result.get("input_tokens").intValue()).isEqualTo(7);
                assertThat(result.get("output_tokens").isNull()).isTrue();
            }
        }
        CampaignSummary summary = summary(cases, GatePolicy.DEFAULT, "b");

        CaseTrials trials = (branch, reader) -> {
            CaseSummary only = branch.cases().getFirst();
            reader.read(only, TrialResults.all(only, results));
        };
        JsonNode one = Rendered.summary(summary, rule(summary), trials).at("/cases/0");
        assertThat(one.get("input_tokens").intValue()).isEqualTo(14);
        assertThat(one.get("output_tokens").intValue()).isEqualTo(2);
        assertThat(one.get("unknown_usage").intValue())
                .as("half, none, and zeros of an older server; the error was not answered")
                .isEqualTo(3);
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
        Path made = RunDirectory.of("c", output, Instant.parse(input.get("utc").textValue()));
        assertThat(made).isEqualTo(output.resolve(expected)).isDirectory();
    }

    @Test
    void shouldBeFoundByItsCampaignWhenARunGoesOn() throws IOException {
        Instant begin = Instant.parse("2026-04-01T14:32:10Z");
        Path first = RunDirectory.of("first", directory, begin);
        Path second = RunDirectory.of("second", directory, begin);
        assertThat(second).isEqualTo(directory.resolve("2026-04-01T14-32-10Z-2"));
        Path earlier = Files.createDirectory(directory.resolve("2026-04-01T14-32-10Z-3"));
        Files.writeString(earlier.resolve("summary.json"), "{\n  \"campaign_id\": \"earlier\", cut off");
        Files.writeString(first.resolve("summary.json"), "no JSON");

        assertThat(RunDirectory.of("first", directory, begin)).isEqualTo(first);
        assertThat(RunDirectory.of("second", directory, begin)).isEqualTo(second);
        assertThat(RunDirectory.of("earlier", directory, begin)).isEqualTo(earlier);
        assertThat(RunDirectory.of("third", directory, begin)).isEqualTo(directory.resolve("2026-04-01T14-32-10Z-4"));
    }

    @Test
    void shouldHaveALevelForTheBranchWhenThereAreSeveral() throws IOException {
        byte[] summary = artifacts(directory)
                .unpack(archive(
                        new RunLayout(true).trial("a", "small", 1, "stdout.txt"),
                        new RunLayout(true).aggregated("a", "large"),
                        "summary.json"));

        assertThat(directory.resolve("a/small/trial-1/stdout.txt"))
                .hasBinaryContent(file("a/small/trial-1/stdout.txt"));
        assertThat(directory.resolve("a/large/aggregated.json")).exists();
        assertThat(summary).isEqualTo(file("summary.json"));
        assertThat(directory.resolve("summary.json")).doesNotExist();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void evalTrialArtifactsCorruptIsReportedAndTheRestIsWrittenWhenADiskTakesNoFile() throws IOException {
        Files.writeString(directory.resolve("a"), "in the way of a directory");
        RunArtifacts artifacts = artifacts(directory);
        artifacts.unpack(
                archive("a/trial-1/stdout.txt", "a/trial-1/result.json", "a/aggregated.json", "b/trial-1/result.json"));
        artifacts.finish();

        assertThat(err.toString().lines().filter(line -> line.startsWith("EVAL_TRIAL_ARTIFACTS_CORRUPT: ")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("of a/trial-1 "),
                        line -> assertThat(line).contains("of a "));
        assertThat(directory.resolve("b/trial-1/result.json")).exists();
    }

    /** Every write to {@code /dev/full} ends as on a full disk. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void evalTrialArtifactsCorruptIsReportedAndTheRestIsWrittenWhenTheDiskIsFull() throws IOException {
        for (String full : List.of("a/trial-1/stdout.txt", "b/aggregated.json", "summary.json")) {
            Path file = directory.resolve(full);
            Files.createDirectories(file.getParent());
            Files.createSymbolicLink(file, Path.of("/dev/full"));
        }
        RunArtifacts artifacts = artifacts(directory);
        artifacts.unpack(archive(
                "a/trial-1/stdout.txt",
                "a/trial-1/trace.jsonl",
                "a/aggregated.json",
                "b/trial-1/trace.jsonl",
                "b/aggregated.json"));
        artifacts.write("summary.json", new byte[1]);
        artifacts.finish();

        assertThat(err.toString().lines().filter(line -> line.startsWith("EVAL_TRIAL_ARTIFACTS_CORRUPT: ")))
                .allMatch(line -> line.endsWith("No space left on device"))
                .satisfiesExactly(
                        line -> assertThat(line).contains("of a/trial-1 "),
                        line -> assertThat(line).contains("of b "),
                        line -> assertThat(line).contains("of summary.json"));
        assertThat(err.toString()).contains("The results themselves are stored");
        assertThat(directory.resolve("a/trial-1/trace.jsonl")).hasBinaryContent(file("a/trial-1/trace.jsonl"));
        assertThat(directory.resolve("b/trial-1/trace.jsonl")).isNotEmptyFile();
        assertThat(directory.resolve("a/aggregated.json")).isNotEmptyFile();
    }

    @Test
    void shouldNotLeaveItsDirectoryWhenAServerNamesOtherPaths() throws IOException {
        Path run = Files.createDirectory(directory.resolve("run"));
        List<String> hostile = List.of(
                "../escaped/trial-1/result.json",
                "../trial-1/result.json",
                "a/../trial-1/result.json",
                "/absolute/trial-1/result.json",
                "a/b/c/trial-1/result.json",
                "a\\b/trial-1/result.json",
                "a/trial-1/other.json",
                "a/trial-0/result.json",
                "a/trial-1/result.json/",
                "\u0000/trial-1/result.json",
                "summary.json/trial-1/result.json",
                "campaign.json/aggregated.json",
                "other.json",
                "");
        artifacts(run).unpack(archive(hostile.toArray(String[]::new)));

        assertThat(err.toString().lines().filter(line -> line.startsWith("EVAL_TRIAL_ARTIFACTS_CORRUPT")))
                .isNotEmpty();
        assertThat(run).isEmptyDirectory();
        assertThat(directory).isDirectoryContaining(path -> path.equals(run));
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
        byte[] xml = JunitReport.of(summary, results(MIXED), "my.suite");

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
        CaseTrials results = results(many);

        String junit = new String(JunitReport.of(summary, results, "s".repeat(300)), StandardCharsets.UTF_8);
        assertThat(junit.length()).isBetween(20_000_000, 30_000_000);
        assertThat(junit).contains("tests=\"60000\"", "test cases are left out").endsWith("</testsuite></testsuites>");
        String markdown = MarkdownReport.of("name", "id", summary, results, rule(summary), MarkdownReport.MAX_BYTES);
        assertThat(markdown.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(1_000_000);
        assertThat(markdown).contains("more cases are left out here.");
    }

    @Test
    void shouldShowTheWorstFirstAndObeyNoMarksWhenMarkdownIsWritten() throws IOException {
        CampaignSummary summary = summary(MIXED, 0.5, "small");
        String markdown = MarkdownReport.of(
                "<b>*n*</b>|", "id", summary, results(MIXED), rule(summary), MarkdownReport.MAX_BYTES);

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
        ObjectNode result = TrialResults.result(outcome);
        assertThat(result.get("status").textValue()).isEqualTo("error");
        assertThat(result.get("error_message").textValue()).startsWith("EVAL_CASE_TIMEOUT: no answer");
        assertThat(result.get("exit_code").isNull()).isTrue();
        assertThat(TrialResults.result(outcome.put("exitCode", 3))
                        .get("exit_code")
                        .intValue())
                .isEqualTo(3);
    }
}
