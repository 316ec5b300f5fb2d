package dev.assay.web.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.AgentEvent.AgentStart;
import dev.assay.domain.event.AgentEvent.ProgressMessage;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.store.evaluation.EventRepository;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many who watch cost no more than one, and who leaves breaks nothing. */
@Tag("slow")
@Timeout(120)
class EventStreamsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int WATCHERS = 150;
    private static final int BEHIND = 1_000;
    private static final SampleCampaign SAMPLE = new SampleCampaign("watched", 2, 2, 1);
    private static final String EVALUATION = """
        {"prompts": ["Why?"], "branches": [{"provider": "openai", "model": "m"}]}\
        """;

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start(
                Map.of("assay.streams.per-address", WATCHERS, "datasources.default.maximum-pool-size", 5));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RawClient watch(String path) throws IOException {
        RawClient client = new RawClient(server.uri(), PATIENCE);
        client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n");
        return client;
    }

    private static void awaitData(RawClient client) throws IOException {
        while (!client.line().startsWith("data:")) {
            continue;
        }
    }

    private static String campaign() {
        return "/api/v1/campaigns/" + server.submit(SAMPLE) + "/events";
    }

    private static String evaluation() {
        String body = server.post("/api/v1/evaluations", "application/json", EVALUATION)
                .body();
        return "/api/v1/evaluations/" + Json.tree(body).path("id").asText();
    }

    /** Those of the server's pool: a connection of this test asks for statistics, and ends a moment after it was closed. */
    private static Set<Object> connections() {
        return server
                .store()
                .query("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <>"
                        + " pg_backend_pid() AND query NOT LIKE '%pg_stat_%'")
                .stream()
                .map(row -> row.get("pid"))
                .collect(Collectors.toSet());
    }

    /** Makes the pool open all its connections. */
    private static Set<Object> filledPool() throws Exception {
        List<Thread> askers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            askers.add(Thread.ofVirtual().start(() -> server.fetch("/api/v1/campaigns")));
        }
        for (Thread asker : askers) {
            asker.join(PATIENCE);
        }
        return connections();
    }

    private static void leaveAbruptly(String path, int rounds, boolean afterData) throws Exception {
        for (int round = 0; round < rounds; round++) {
            List<RawClient> watchers = new ArrayList<>();
            for (int i = 0; i < WATCHERS; i++) {
                watchers.add(watch(path));
            }
            for (RawClient watcher : watchers) {
                if (afterData) {
                    awaitData(watcher);
                }
                watcher.vanish();
            }
            await().atMost(PATIENCE).until(() -> places() == 0);
        }
    }

    private static int places() {
        return server.get(StreamPlaces.class).open();
    }

    @Test
    void shouldKeepEveryConnectionToPostgresWhenManyWatchersLeaveAbruptly() throws Exception {
        String campaign = campaign();
        String evaluation = evaluation();
        Set<Object> before = filledPool();

        leaveAbruptly(campaign, 3, true);
        leaveAbruptly(campaign, 3, false);
        leaveAbruptly(evaluation + "/events", 3, false);
        waitAndLeave(evaluation + "?wait=30s");

        assertThat(before).hasSizeGreaterThanOrEqualTo(2);
        assertThat(connections()).containsAll(before);
    }

    private static void waitAndLeave(String path) throws IOException {
        List<RawClient> waiting = new ArrayList<>();
        for (int i = 0; i < WATCHERS; i++) {
            waiting.add(watch(path));
        }
        for (RawClient client : waiting) {
            client.vanish();
        }
        server.json("/api/v1/campaigns");
    }

    @ParameterizedTest
    @ValueSource(strings = {"campaign", "evaluation", "wait"})
    void shouldKeepTheConnectionWhenAClientLeavesDuringAStatement(String what) throws Exception {
        String path = switch (what) {
            case "campaign" -> campaign();
            case "evaluation" -> evaluation() + "/events";
            default -> evaluation() + "?wait=1m";
        };
        RawClient client = watch(path);
        if (!what.equals("wait")) {
            assertThat(client.status()).isEqualTo(200);
        }
        Set<Object> before = connections();
        try (Connection other = server.store().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE campaign IN ACCESS EXCLUSIVE MODE");
            await().atMost(PATIENCE).until(() -> blocked() > 0);
            client.vanish();
            await().atMost(PATIENCE).until(() -> places() == 0);
            for (int i = 0; i < 20; i++) {
                server.fetch("/health/liveness");
            }
            other.rollback();
        }
        try (RawClient next = watch(campaign())) {
            awaitData(next);
            awaitData(next);
        }
        await().atMost(PATIENCE).until(() -> places() == 0);
        assertThat(connections()).containsAll(before);
    }

    private static long blocked() {
        return server.store()
                .count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type"
                        + " = 'Lock'");
    }

    @Test
    void shouldAskPostgresNoMoreOftenWhenManyWatchTheSame() throws Exception {
        String campaign = campaign();
        List<RawClient> watchers = new ArrayList<>();
        try {
            watchers.add(watch(campaign));
            awaitData(watchers.getFirst());
            long one = transactionsInThreeSeconds();
            for (int i = 1; i < WATCHERS; i++) {
                watchers.add(watch(campaign));
                awaitData(watchers.getLast());
            }

            // PostgreSQL counts what connections did some seconds late: the first windows hold the arrivals.
            long many = Long.MAX_VALUE;
            for (int window = 0; window < 4; window++) {
                many = Math.min(many, transactionsInThreeSeconds());
            }
            assertThat(many).isLessThan(2 * one + 60);
        } finally {
            for (RawClient watcher : watchers) {
                watcher.close();
            }
            await().atMost(PATIENCE).until(() -> places() == 0);
        }
    }

    /** The rate is what is measured, so time must pass. */
    private static long transactionsInThreeSeconds() throws InterruptedException {
        long before = transactions();
        Thread.sleep(3_000);
        return transactions() - before;
    }

    private static long transactions() {
        return server.store().count("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
    }

    @Test
    void shouldSendTheLatestToOthersWhenOneWatcherDoesNotRead() throws Exception {
        String campaign = campaign();
        try (RawClient silent = watch(campaign);
                RawClient reading = watch(campaign)) {
            for (int i = 0; i < 3; i++) {
                awaitData(reading);
            }
            awaitData(silent);
        }
        await().atMost(PATIENCE).until(() -> places() == 0);
    }

    /** Pages of the record were read again as long as a slow client had not taken them. */
    @Test
    void shouldSendEachEventOnceWhenAClientIsFarBehind() throws Exception {
        String path = evaluation();
        String id = path.substring(path.lastIndexOf('/') + 1);
        List<AgentEvent> told = new ArrayList<>(List.of(new AgentStart("s", "loop", "openai", "m", Instant.EPOCH)));
        for (int i = 0; i < BEHIND; i++) {
            told.add(new ProgressMessage("s", "loop", "x".repeat(100), Instant.EPOCH));
        }
        server.get(EventRepository.class).append(id, told);

        List<Integer> numbers = new ArrayList<>();
        try (RawClient client = watch(path + "/events")) {
            while (numbers.isEmpty() || numbers.getLast() < BEHIND + 2) {
                String line = client.line();
                if (line.startsWith("id:")) {
                    numbers.add(Integer.parseInt(line.substring(3).strip()));
                }
            }
        }

        assertThat(numbers)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, BEHIND + 2).boxed().toList());
        await().atMost(PATIENCE).until(() -> places() == 0);
    }

    @Test
    void shouldRefuseAStreamWhenItsAddressHasTooMany() throws Exception {
        String campaign = campaign();
        List<RawClient> watchers = new ArrayList<>();
        try {
            for (int i = 0; i < WATCHERS; i++) {
                watchers.add(watch(campaign));
                assertThat(watchers.getLast().status()).isEqualTo(200);
            }
            var refused = server.fetch(campaign);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(Json.tree(refused.body()).path("code").asText()).isEqualTo("TOO_MANY_STREAMS");
        } finally {
            for (RawClient watcher : watchers) {
                watcher.vanish();
            }
        }
        await().atMost(PATIENCE).until(() -> places() == 0);
        try (RawClient again = watch(campaign)) {
            assertThat(again.status()).isEqualTo(200);
        }
        await().atMost(PATIENCE).until(() -> places() == 0);
    }
}
