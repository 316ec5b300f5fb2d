package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.activities.selection.ExamplePlugin;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.workflows.TaskQueues;
import io.temporal.api.history.v1.HistoryEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What several workers with one store make of too few permits, and of work that not all of them can do. */
@Tag("slow")
@Timeout(120)
final class SeveralWorkersTest {

    /** After 5 s, and what a busy machine adds; it was 90 s once. */
    private static final Duration HANDED_BACK = Duration.ofSeconds(8);

    private static final Map<String, ProviderInfo> PROVIDERS = Map.of("one", provider("one"), "two", provider("two"));

    private volatile Duration call = Duration.ofMillis(200);

    private @TempDir Path files;
    private StubProvider model;
    private Engine engine;

    private static ProviderInfo provider(String name) {
        return new ProviderInfo(name, true, null, 1, 4_096, Map.of());
    }

    @BeforeEach
    void startModel() throws IOException {
        model = new StubProvider(exchange -> {
            Thread.sleep(call);
            StubProvider.answer(exchange, 200, Requests.OPENAI_ONE);
        });
    }

    @AfterEach
    void stop() throws InterruptedException {
        engine.close();
        model.close();
    }

    /** The settings of a worker that can ask these, each of which allows one call at a time. */
    private Map<String, Object> asking(String... providers) throws IOException {
        Path file = files.resolve(String.join("-", providers) + ".yaml");
        String list = List.of(providers).stream()
                .map(name -> "  %s: {type: openai, baseUrl: %s/v1, keyless: true, maxConcurrent: 1}\n"
                        .formatted(name, model.url()))
                .collect(Collectors.joining());
        Files.writeString(file, "providers:\n" + list);
        return Map.of("assay.providers.file", file.toString());
    }

    private void start(int workers) throws IOException {
        engine = new Engine(ToolPolicy.NONE, asking("one"));
        for (int i = 1; i < workers; i++) {
            engine.join(asking("one"));
        }
    }

    private static String cases(String prompt, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "  - {id: c%d, prompt: %s %d}\n".formatted(i, prompt, i))
                .collect(Collectors.joining("", "cases:\n", ""));
    }

    private void submit(String id, int cases) {
        engine.submit(
                id,
                "name: %s\n%sbranches: [{id: b, provider: one, model: m}]\n".formatted(id, cases(id, cases)),
                PROVIDERS);
    }

    private long calls(String prompt) {
        return model.asked().stream()
                .filter(asked -> asked.text().contains("\"" + prompt))
                .count();
    }

    @Test
    void shouldAskForAnEvaluationNextWhicheverWorkerHasIt() throws IOException {
        start(3);
        submit("busy", 150);
        await().atMost(Engine.PATIENCE).until(() -> calls("busy") >= 5);

        for (String id : List.of("urgent1", "urgent2", "urgent3", "urgent4")) {
            long before = System.nanoTime();
            engine.evaluate(
                    id,
                    "name: %1$s\n%2$sbranches: [{id: b, provider: one, model: m}]\n".formatted(id, cases(id, 1)),
                    PROVIDERS);
            await().atMost(Engine.PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> calls(id) == 1);

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(call.plusSeconds(2));
        }
        assertThat(engine.get("busy").state()).isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void shouldLetEachWorkerHaveItsTurnWhenThereAreFewerPermits() throws IOException {
        start(3);

        submit("shared", 150);

        await().atMost(Duration.ofSeconds(20))
                .until(() -> engine.store.count("SELECT count(DISTINCT worker_id) FROM ledger") == 3);
        assertThat(engine.store.count("SELECT sum(granted) FROM permit_lease WHERE pool = 'provider/one'"))
                .isLessThanOrEqualTo(1);
    }

    @Test
    void shouldHandCellsBackWhenAWorkerHasHadNoPermitForThem() throws IOException {
        call = Duration.ofSeconds(12);
        start(3);
        submit("slow", 30);
        await().atMost(Engine.PATIENCE).until(() -> claims("slow") == 3);
        Map<String, Long> without = new TreeMap<>();

        // The first call is still under way: two workers never had a permit.
        await().atMost(Duration.ofSeconds(11))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    long now = System.nanoTime();
                    List<String> holding = holdingWithoutPermit();
                    without.keySet().retainAll(holding);
                    holding.forEach(worker -> without.putIfAbsent(worker, now));
                    assertThat(without.values()).allMatch(since -> now - since < HANDED_BACK.toNanos());
                    return claims("slow") == 1;
                });

        assertThat(engine.store.count("SELECT sum(attempts) FROM cell"))
                .as("only those that are in the ledger and were not handed back")
                .isEqualTo(engine.store.count("SELECT count(*) FROM ledger WHERE no_attempt IS NULL"));
        assertThat(calls("slow")).isOne();
    }

    private long claims(String campaign) {
        return engine.store.count(
                "SELECT count(DISTINCT claim_worker) FROM cell WHERE campaign_id = ? AND claim_worker IS NOT NULL",
                campaign);
    }

    private List<String> holdingWithoutPermit() {
        return engine.store.query("""
            SELECT DISTINCT claim_worker FROM cell WHERE claim_worker IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM permit_lease l
                WHERE l.worker_id = claim_worker AND l.pool = 'provider/one' AND l.granted > 0)\
            """).stream()
                .map(row -> String.valueOf(row.get("claim_worker")))
                .toList();
    }

    @Test
    void shouldHaveEachJudgeAskedByAWorkerThatCan() throws IOException {
        engine = new Engine(ToolPolicy.NONE, asking("one"));
        engine.join(asking("two"));

        engine.submit("judged", """
            name: judged
            %sbranches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris too]}}
            strategy: {type: llm-judge, panel: [{provider: one, model: m}, {provider: two, model: m}, {kind: scripted, script: {answers: ["1"]}}]}
            """.formatted(cases("judged", 5)), PROVIDERS);

        assertThat(engine.awaitEnd("judged").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM judge_call WHERE error_code IS NULL"))
                .isEqualTo(15);
        assertThat(engine.store.count("SELECT count(*) FROM trial WHERE decided AND selected_index = 0"))
                .isEqualTo(5);
        assertThat(repeated("judged")).as("activities that a worker gave back").isZero();
    }

    @Test
    void shouldSelectWhereThePluginIs() throws IOException {
        Path plugins = files.resolve("plugins");
        ExamplePlugin.build(plugins, "example");
        engine = new Engine(ToolPolicy.NONE);
        engine.join(Map.of("assay.plugins.directory", plugins.toString()));
        engine.join(Map.of());

        engine.submit("custom", """
            name: custom
            %sbranches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris too]}}
            strategy: {type: custom, name: longest-response}
            """.formatted(cases("custom", 5)), Map.of());

        assertThat(engine.awaitEnd("custom").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(repeated("custom")).as("activities that a worker gave back").isZero();
        assertThat(engine.history("custom"))
                .extracting(event -> event.getActivityTaskScheduledEventAttributes()
                        .getTaskQueue()
                        .getName())
                .contains(TaskQueues.strategy("longest-response"))
                .doesNotContain(TaskQueues.ORCHESTRATION);
    }

    private long repeated(String campaign) {
        return engine.history(campaign).stream()
                .filter(HistoryEvent::hasActivityTaskStartedEventAttributes)
                .filter(event -> event.getActivityTaskStartedEventAttributes().getAttempt() > 1)
                .count();
    }
}
