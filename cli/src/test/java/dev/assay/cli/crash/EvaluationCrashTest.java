package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.StubModel;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.server.Endpoints;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A lease that is lost, and kill -9, in the middle of a hypothesis evaluation's batches and of a custom strategy's asks: what was answered
 * is not asked again.
 */
@Tag("slow")
class EvaluationCrashTest {

    private static final Path EXAMPLE = Path.of("..", "examples", "custom-strategy", "src");
    private static final Pattern ASKED = Pattern.compile("<hypothesis id=\\\\?\"(h\\d)|(Answer: \\w+)");
    private static final String HYPOTHESES = "/api/v1/hypothesis-evaluations";
    private static final String EVALUATIONS = "/api/v1/evaluations";
    private static final Set<String> IN_THE_MIDDLE = Set.of("h3", "Answer: Second");

    private static final String BATCHES = """
        challenger: {provider: stub, model: challenger}
        parallelConfig: {mode: individual, maxConcurrent: 2}
        hypotheses:
          - {id: h1, statement: One}
          - {id: h2, statement: Two}
          - {id: h3, statement: Three}
          - {id: h4, statement: Four}
          - {id: h5, statement: Five}
        """;

    /** Each is shorter than the one before, so each is asked about. */
    private static final String ASKS = """
        prompts: [Which?]
        branches:
          - {id: a, kind: scripted, script: {answers: [First answer]}}
          - {id: b, kind: scripted, script: {answers: [Second one]}}
          - {id: c, kind: scripted, script: {answers: [Third]}}
        strategy: {type: custom, name: shortest-answer, maxAsks: 3, models: {grader: {provider: stub, model: grader}}}
        """;

    @TempDir
    Path temporary;

    private final Map<String, Integer> asked = new ConcurrentHashMap<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private StubModel model;
    private KilledServer assay;

    @BeforeEach
    void prepare() throws Exception {
        Path data = Files.createDirectory(temporary.resolve("data"));
        buildExample(Files.createDirectory(data.resolve("plugins")));
        model = new StubModel();
        model.writeProviders(data);
        model.replyBy(this::counted);
        model.answerBy((name, prompt) -> name.equals("grader") ? "Yes." : scores(prompt));
        assay = new KilledServer(data);
    }

    @AfterEach
    void stop() throws Exception {
        released.countDown();
        assay.close();
        model.close();
    }

    private void buildExample(Path plugins) {
        String classes = temporary.resolve("classes").toString();
        Path sources = EXAMPLE.resolve(Path.of("com", "example"));
        run(
                "javac",
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes,
                sources.resolve("ShortestAnswer.java").toString(),
                sources.resolve("LongestResponseEvaluation.java").toString());
        String jar = plugins.resolve("example.jar").toString();
        run("jar", "--create", "--file", jar, "-C", classes, ".", "-C", EXAMPLE.toString(), "META-INF");
    }

    private static void run(String tool, String... arguments) {
        assertThat(ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, arguments))
                .as(tool)
                .isZero();
    }

    /** Counts what is asked; the answers in the middle do not come until they are released. */
    private StubModel.@Nullable Reply counted(JsonNode request) {
        String what = subject(request.path("messages").toString());
        asked.merge(what, 1, Integer::sum);
        if (IN_THE_MIDDLE.contains(what)) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return null;
    }

    private static String subject(String prompt) {
        Matcher found = ASKED.matcher(prompt);
        assertThat(found.find()).as(prompt).isTrue();
        return found.group(1) == null ? found.group(2) : found.group(1);
    }

    private static String scores(String prompt) {
        return """
            {"evaluations": [{"id": "%s", "verdict": "pass", "reasons": ["Because."], "scores": {"specificity": 4, "novelty": 4,
             "connectionValidity": 4, "feasibility": 4, "grounding": 4}}]}\
            """.formatted(subject(prompt));
    }

    /** All others are answered, or cannot be asked yet. */
    private void awaitTheMiddle(int times) {
        await().atMost(Api.PATIENCE).untilAsserted(() -> assertThat(asked).isEqualTo(inTheMiddle(times)));
    }

    private static Map<String, Integer> inTheMiddle(int times) {
        Map<String, Integer> asked = new HashMap<>();
        List.of("h1", "h2", "h4", "h5", "Answer: First").forEach(what -> asked.put(what, 1));
        IN_THE_MIDDLE.forEach(what -> asked.put(what, times));
        return asked;
    }

    /** The worker finds out when it renews, as one does that stood still for longer than its lease. */
    private static void loseLeases(Endpoints endpoints) throws Exception {
        try (Connection connection = DatabaseAddress.parse(endpoints.database()).connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE worker SET lease_until = '-infinity'");
        }
    }

    private JsonNode ended(String path) throws Exception {
        JsonNode result = assay.api().get(path + "?wait=20s");
        assertThat(result.path("state").asText()).as(result.toString()).isEqualTo("COMPLETED");
        return result;
    }

    @Test
    void shouldAskNothingAgainThatWasAnsweredWhenTheLeaseIsLostAndTheServerKilled() throws Exception {
        Process server = assay.up();
        Endpoints endpoints = assay.api().await();
        String hypotheses = HYPOTHESES + "/" + assay.api().submit(HYPOTHESES, BATCHES);
        String evaluation = EVALUATIONS + "/" + assay.api().submit(EVALUATIONS, ASKS);
        awaitTheMiddle(1);

        loseLeases(endpoints);
        awaitTheMiddle(2);
        server.destroyForcibly().waitFor();
        released.countDown();
        assay.up();
        assay.api().await();

        JsonNode scored = ended(hypotheses);
        assertThat(scored.path("scoredHypotheses")).hasSize(5);
        assertThat(ended(evaluation).path("selectedIndex").asInt()).isEqualTo(2);
        Map<String, Integer> all = inTheMiddle(3);
        all.put("Answer: Third", 1);
        assertThat(asked).isEqualTo(all);
    }
}
