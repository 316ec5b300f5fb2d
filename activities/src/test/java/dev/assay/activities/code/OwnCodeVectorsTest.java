package dev.assay.activities.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.evaluator.VerdictNames;
import dev.assay.activities.judging.OutcomeCode;
import dev.assay.domain.Vectors;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.Metrics;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.grading.CodeCall;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.suite.Case;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The verdicts, scores and metrics that promptfoo gave for code, by the same code in the interpreters of this machine. */
class OwnCodeVectorsTest {

    @TempDir
    static Path temporary;

    private static CodeRoom room;

    @BeforeAll
    static void open() {
        Interpreters.require();
        CodeAllowance all = new CodeAllowance(Set.of("python", "javascript"), Set.of(), Set.of());
        room = new CodeRoom(temporary, System.getenv(), all);
    }

    @AfterAll
    static void close() {
        if (room != null) {
            room.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldSayWhatPromptfooSaid() {
        List<JsonNode> vectors = Vectors.read("own-code.json").stream()
                .filter(vector -> vector.path("function").asText().equals("ownCodeAssert"))
                .filter(vector -> isNative(vector.at("/input/test")))
                .toList();
        assertThat(vectors).hasSizeGreaterThan(70);
        return vectors.stream()
                .map(vector -> DynamicTest.dynamicTest(
                        vector.path("id").asText(), () -> compare(vector.get("input"), vector.get("expected"))));
    }

    /** Templates belong to the import. */
    private static boolean isNative(JsonNode test) {
        return !test.path("assert").toString().contains("{{");
    }

    private static void compare(JsonNode input, JsonNode expected) throws Exception {
        String output = input.path("output").asText();
        Outcome outcome = decided(output, submission(input, output));
        List<CheckResult> checks = outcome.checks();
        TrialVerdict verdict = TrialVerdict.of(
                outcome,
                submission(input, output).suite().cases().getFirst().checks().threshold());

        assertThat(verdict.passed()).isEqualTo(expected.path("passed").booleanValue());
        assertThat(outcome.checks()).isNotEmpty();
        Map<String, Double> metrics = Metrics.of(checks);
        assertThat(metrics.keySet()).isEqualTo(names(expected.path("metrics")));
        metrics.forEach((name, score) ->
                assertThat(score).isCloseTo(expected.at("/metrics").get(name).doubleValue(), within(1e-9)));
        Iterator<JsonNode> wanted = expected.path("checks").iterator();
        for (CheckResult found : flat(checks)) {
            JsonNode want = wanted.next();
            Double measured = found.measured();
            if (found.share() != 0) {
                assertThat(found.status() == CheckResult.Status.PASSED)
                        .as(found.reason())
                        .isEqualTo(want.path("passed").booleanValue());
            }
            assertThat(measured == null ? 0 : measured)
                    .as(found.reason())
                    .isCloseTo((want.has("value") ? want.get("value") : want.get("score")).doubleValue(), within(1e-9));
        }
        assertThat(wanted.hasNext()).isFalse();
    }

    private static Set<String> names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    private static List<CheckResult> flat(List<CheckResult> checks) {
        return checks.stream()
                .flatMap(check -> Stream.concat(Stream.of(check), flat(check.members()).stream()))
                .toList();
    }

    private static CampaignSubmission submission(JsonNode input, String output) {
        JsonNode test = input.path("test");
        ObjectNode document = Json.mapper().createObjectNode().put("name", "vector");
        ObjectNode one =
                document.withArray("cases").addObject().put("id", "one").put("prompt", output);
        one.set("vars", test.path("vars"));
        Stream.of("metadata", "threshold").filter(test::has).forEach(field -> one.set(field, test.get(field)));
        JsonNode options = test.path("options");
        JsonNode transform = options.path(options.has("transform") ? "transform" : "postprocess");
        if (transform.isTextual()) {
            one.putObject("transform").set("javascript", transform);
        }
        test.path("assert").forEach(assertion -> one.withArray("checks").add(check(assertion)));
        ObjectNode branch =
                document.withArray("branches").addObject().put("id", "a").put("kind", "scripted");
        branch.putObject("script").withArray("answers").add(output);
        return CampaignReader.read(document, Map.of());
    }

    private static ObjectNode check(JsonNode assertion) {
        ObjectNode check = assertion.deepCopy();
        String type = assertion.path("type").asText();
        check.put("type", type.replaceFirst("^not-", ""));
        if (type.startsWith("not-")) {
            check.put("not", true);
        }
        if (check.has("transform")) {
            check.putObject("transform").set("javascript", assertion.get("transform"));
        }
        return check;
    }

    private static final VerdictNames EVALUATORS = new VerdictNames() {

        @Override
        public String check(Check check, List<Interpreter> ran) {
            return "check";
        }

        @Override
        public String transforms(List<Interpreter> ran) {
            return "transforms";
        }
    };

    private static Outcome decided(String output, CampaignSubmission submission) throws Exception {
        Case suiteCase = submission.suite().cases().getFirst();
        List<CheckResult> before = suiteCase.checks().all().stream()
                .map(check -> check.evaluate(CheckInput.of(output)))
                .toList();
        Outcome outcome = new Outcome(
                0,
                0,
                "s.echo.1",
                new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                new Outcome.Answer(List.of(Message.user(output), Message.assistant(output)), 0, output),
                new Measured(Usage.of(1, 1), null, Duration.ofMillis(1)),
                before);
        CodeCall call = new CodeCall(
                outcome, suiteCase, submission.definition().branches().getFirst(), 1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return new OutcomeCode(
                            request -> room.processes.run("vectors", CodeFiles.NONE, request),
                            (checks, input) -> checks.stream()
                                    .map(check -> check.evaluate(input))
                                    .toList(),
                            threads,
                            call,
                            EVALUATORS)
                    .run()
                    .outcome();
        }
    }
}
