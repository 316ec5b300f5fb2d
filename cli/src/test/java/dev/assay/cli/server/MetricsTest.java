package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubBatches;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server and its worker show to Prometheus, and what the dashboard, the alerts and the page of operations say of it. */
class MetricsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Two trials: four cells, each of which fails at first, and two calls of a judge that names nobody. */
    private static final String CAMPAIGN = """
        name: metrics-campaign
        cases: [{id: metrics-case, prompt: Which is the capital of France?}]
        trials: 2
        strategy: {type: llm-judge, judge: {provider: stub, model: undecided}}
        branches:
          - id: one
            kind: scripted
            script: {answers: [Paris], failures: [{status: 429, retryAfterSeconds: 0.1}], usage: {input: 12, output: 3}}
          - id: two
            kind: scripted
            script: {answers: [Lyon], failures: [{status: 429, retryAfterSeconds: 0.1}], usage: {input: 12, output: 3}}
        """;

    /** A cell whose first request is refused by its provider. */
    private static final String REFUSED = """
        name: metrics-campaign-refused
        cases: [{id: metrics-case, prompt: Which is the capital of France?}]
        branches: [{id: one, provider: keyed, model: busy}]
        """;

    private static final Path ROOT = Path.of("..");
    private static final Pattern METRIC =
            Pattern.compile("\\b(?:assay|temporal|jvm|http|hikaricp|process)_[a-z_]*[a-z]\\b(?!_)");

    @TempDir
    static Path data;

    /** Two cells that a batch answers, of which one fails. */
    private static final String BATCH = """
        name: metrics-campaign-batch
        delivery: batch
        cases: [{id: metrics-case, prompt: Paris?}, {id: metrics-other, prompt: refused}]
        branches: [{id: one, provider: batched, model: metrics-batch-model}]
        """;

    private static StubModel model;
    private static StubBatches batches;
    private static AssayServer server;
    private static Api api;
    private static String campaign;
    private static String scrape;

    @BeforeAll
    static void runACampaign() throws Exception {
        model = new StubModel();
        model.writeProviders(data);
        batches = new StubBatches();
        batches.endBy(prompt -> prompt.equals("refused") ? "400" : "200");
        Path providers = data.resolve("providers.yaml");
        String address = Files.readString(providers)
                .lines()
                .filter(line -> line.contains("baseUrl"))
                .findFirst()
                .orElseThrow();
        Files.writeString(
                providers,
                "    limits: [{models: '*', requestsPerMinute: 10000}]\n"
                        + "  keyed:\n"
                        + "    type: openai\n"
                        + "    keyVariable: HOME\n"
                        + address + "\n"
                        + batches.provider("{poll: 1s}"),
                StandardOpenOption.APPEND);
        AtomicBoolean isRefused = new AtomicBoolean();
        model.replyBy(request -> request.path("model").asText().equals("busy") && isRefused.compareAndSet(false, true)
                ? new StubModel.Reply(429, "{\"error\":{\"message\":\"Slow down\"}}", Map.of("Retry-After", "1"))
                : null);
        model.answerBy((judge, prompt) -> "I cannot say.");
        server = InProcessServer.start(data);
        api = new Api(data);
        campaign = api.submit(CAMPAIGN);
        String refused = api.submit(REFUSED);
        await().atMost(PATIENCE).until(() -> api.state(campaign).equals("COMPLETED"));
        await().atMost(PATIENCE).until(() -> api.state(refused).equals("COMPLETED"));
        String inBatch = api.submit(BATCH);
        await().atMost(PATIENCE).until(() -> api.state(inBatch).equals("COMPLETED"));
        batches.takes(Duration.ofHours(1));
        api.submit(BATCH);
        // Temporal's SDK reports every 5 s, and gauges only after they were set. The store is read every 10 s.
        await().atMost(PATIENCE)
                .until(
                        MetricsTest::scrape,
                        page -> page.contains("temporal_activity_execution_latency_seconds_count")
                                && page.contains("temporal_worker_task_slots_available")
                                && page.contains("temporal_worker_task_slots_used")
                                && page.contains("assay_provider_down{")
                                && page.contains("assay_limit_used{")
                                && page.contains("assay_batches{")
                                && page.contains("state=\"submitted\"")
                                && page.contains("assay_pool_concurrent{"));
        scrape = scrape();
    }

    @AfterAll
    static void stop() {
        api.close();
        server.close();
        model.close();
        batches.close();
    }

    private static String scrape() throws Exception {
        return api.send("/prometheus", Duration.ofSeconds(5)).body();
    }

    private static double value(String series) {
        return scrape.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(series + " is not in\n" + scrape));
    }

    private static Set<String> exposed() {
        return scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> named(String text) {
        return METRIC.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldCountCallsRetriesTokensCostAndFallbacks() {
        assertThat(value("assay_calls_seconds_count{provider=\"scripted\",result=\"ANSWERED\"}"))
                .isEqualTo(4);
        assertThat(value("assay_calls_seconds_count{provider=\"scripted\",result=\"PROVIDER_RATE_LIMITED\"}"))
                .isEqualTo(4);
        assertThat(value("assay_retries_total{error=\"PROVIDER_RATE_LIMITED\",provider=\"scripted\"}"))
                .isEqualTo(4);
        assertThat(value("assay_tokens_total{kind=\"input\",provider=\"scripted\"}"))
                .isEqualTo(48);
        assertThat(value("assay_tokens_total{kind=\"output\",provider=\"scripted\"}"))
                .isEqualTo(12);
        assertThat(value("assay_unpriced_calls_total{provider=\"scripted\"}")).isEqualTo(4);
        assertThat(value("assay_calls_seconds_count{provider=\"stub\",result=\"ANSWERED\"}"))
                .as("a judge that did not choose is asked once more")
                .isEqualTo(4);
        assertThat(value("assay_cost_usd_total{provider=\"stub\"}")).isPositive();
        assertThat(value("assay_judge_selections_total")).isEqualTo(2);
        assertThat(value("assay_judge_fallbacks_total")).isEqualTo(2);
        assertThat(value("assay_permits_awaited{provider=\"stub\"}")).isZero();
        assertThat(value("assay_limit_awaited{provider=\"stub\"}")).isZero();
        assertThat(value("assay_limit_units_total{limit=\"requestsPerMinute\",provider=\"stub\"}"))
                .isEqualTo(4);
    }

    @Test
    void shouldShowTheStoreAndItsWorkers() {
        assertThat(value("assay_store_up")).isEqualTo(1);
        assertThat(value("assay_workers")).isEqualTo(1);
        assertThat(value("assay_limit{account=\"default\",limit=\"requestsPerMinute\",models=\"*\",provider=\"stub\"}"))
                .isEqualTo(10_000);
        assertThat(exposed()).contains("assay_cells", "assay_campaigns", "assay_oldest_open_cell_seconds");
    }

    @Test
    void shouldShowRefusalsAndKeys() {
        assertThat(value("assay_refusals_total{kind=\"concurrency\",provider=\"keyed\"}"))
                .isEqualTo(1);
        assertThat(value("assay_key_enabled{key=\"default\",provider=\"keyed\"}"))
                .isEqualTo(1);
        assertThat(value("assay_pool_blocked_seconds{account=\"default\",models=\"other\",provider=\"keyed\"}"))
                .isZero();
    }

    @Test
    void shouldCountBatchesTheirLinesAndTheirSubmissions() {
        assertThat(value("assay_batches{provider=\"batched\",state=\"submitted\"}"))
                .isEqualTo(1);
        assertThat(value("assay_batch_lines_total{end=\"answered\",provider=\"batched\"}"))
                .isEqualTo(1);
        assertThat(value("assay_batch_lines_total{end=\"failed\",provider=\"batched\"}"))
                .isEqualTo(1);
        assertThat(value("assay_batch_lines_total{end=\"missing\",provider=\"batched\"}"))
                .isZero();
        assertThat(value("assay_batch_submissions_total{provider=\"batched\",result=\"accepted\"}"))
                .isEqualTo(2);
        assertThat(value("assay_batch_seconds_count")).isEqualTo(1);
    }

    @Test
    void shouldLabelNothingByWhatCampaignsSay() {
        assertThat(scrape)
                .doesNotContain(
                        campaign,
                        "metrics-campaign",
                        "metrics-case",
                        "undecided",
                        "metrics-batch-model",
                        "busy",
                        "Paris");
    }

    @Test
    void shouldShowNoMoreSeriesOfTemporalThanAScrapeCanCarry() {
        assertThat(scrape.lines().filter(line -> line.startsWith("temporal_request_latency_seconds_bucket{")))
                .hasSizeBetween(9, 400);
        assertThat(scrape).hasSizeLessThan(400_000);
    }

    @Test
    void shouldSayWhatEachOfItsMetricsCounts() {
        assertThat(exposed().stream().filter(name -> name.startsWith("assay_")))
                .allSatisfy(name -> assertThat(scrape)
                        .containsPattern("# HELP " + name.replaceFirst("_(count|sum|bucket)$", "") + " [A-Z0-9].{20}"));
    }

    @Test
    void shouldExposeWhatTheDashboardShows() throws Exception {
        JsonNode dashboard = Json.tree(Files.readString(ROOT.resolve("docker/grafana/dashboards/assay.json")));
        Set<String> shown = dashboard.findValuesAsText("expr").stream()
                .flatMap(query -> named(query).stream())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(shown).hasSizeGreaterThan(10);
        assertThat(exposed()).containsAll(shown);
    }

    @Test
    void shouldExposeWhatAlertsWatch() throws Exception {
        Set<String> watched = named(Files.readString(ROOT.resolve("docker/prometheus/alerts.yml")));

        assertThat(watched).hasSizeGreaterThan(5);
        assertThat(exposed()).containsAll(watched);
    }

    @Test
    void shouldBeWrittenDownWithEachMetric() throws Exception {
        Set<String> written = families(named(Files.readString(ROOT.resolve("docs/operations.md"))));
        Set<String> families = families(exposed());

        assertThat(families).containsAll(written);
        assertThat(written)
                .containsAll(families.stream()
                        .filter(name -> name.startsWith("assay_"))
                        .toList());
    }

    /** The names under which the parts of histograms stand. */
    private static Set<String> families(Set<String> names) {
        return names.stream()
                .map(name -> name.replaceFirst("_seconds_(count|sum|bucket|max)$", "_seconds"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
