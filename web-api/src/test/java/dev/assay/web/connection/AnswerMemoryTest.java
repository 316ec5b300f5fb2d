package dev.assay.web.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that clients do not read together take no more memory than there is for them. */
@Tag("slow")
@Timeout(180)
final class AnswerMemoryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Longer than an answer waits for memory. */
    private static final Duration WINDOW = Duration.ofSeconds(7);

    private static final int SMALL_BUFFER = 64 * 1024;
    private static final SampleCampaign SAMPLE = new SampleCampaign("answers", 20, 2, 1);

    /** More than the system's buffers take. */
    private static final String LARGE = "UPDATE outcome SET response = repeat('r', 6200000)";

    private static ServerFixture server;
    private static String campaign;
    private static String outcomes;
    private static String export;

    /** Of 64 MiB answers have 24 MiB, which is one page. */
    @BeforeAll
    static void start() {
        server = ServerFixture.start(
                Map.of("assay.connections.heap", 64 << 20, "assay.connections.body-window", WINDOW.toSeconds() + "s"));
        String id = server.submit(SAMPLE);
        for (int ordinal = 0; ordinal < 20; ordinal++) {
            SAMPLE.recordOutcome(server.store(), id, ordinal, 0, "COMPLETED", true);
        }
        SAMPLE.recordOutcome(server.store(), id, 0, 1, "TIMED_OUT", false);
        SAMPLE.recordOutcome(server.store(), id, 1, 1, "COMPLETED", true);
        server.store().execute("UPDATE outcome SET response = repeat('r', 1000000) WHERE branch_index = 0");
        server.store().execute("UPDATE outcome SET response = repeat('r', 20000000) WHERE branch_index = 1");
        server.store().execute(LARGE + " WHERE branch_index = 1 AND ordinal = 1");
        campaign = "/api/v1/campaigns/" + id;
        outcomes = campaign + "/outcomes?branchId=branch-0";
        export = campaign + "/export?branchId=branch-0";
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void shouldHoldNothingWhenAllClientsAreGone() {
        await("memory to be given back").atMost(PATIENCE).until(() -> taken() == 0);
    }

    private static int taken() {
        return server.get(MemoryAccount.class).answers().taken();
    }

    /** A client that has asked for a page of 7 MB and reads none of it. */
    private static RawClient asking(String path) throws IOException {
        RawClient client = new RawClient(server.uri(), PATIENCE, SMALL_BUFFER);
        client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        return client;
    }

    private static void awaitTaken() {
        await("memory to be taken").atMost(PATIENCE).until(() -> taken() > 19_000);
    }

    @Test
    void shouldRefuseAPageAndAnswerSmallOnesWhenAnotherClientDoesNotReadIts() throws Exception {
        try (RawClient first = asking(outcomes)) {
            awaitTaken();
            long start = System.nanoTime();
            HttpResponse<String> second = server.fetch(outcomes);
            Duration waited = Duration.ofNanos(System.nanoTime() - start);

            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.headers().firstValue("Retry-After")).contains("5");
            assertThat(Json.tree(second.body()).path("code").asText()).isEqualTo("SERVER_BUSY");
            assertThat(waited).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
            assertThat(server.fetch("/api/v1/campaigns").statusCode()).isEqualTo(200);
            first.vanish();
        }
    }

    @Test
    void shouldAnswerWhenAnotherClientReadsItsPageInTime() throws Exception {
        try (RawClient first = asking(outcomes)) {
            awaitTaken();
            try (RawClient second = asking(outcomes)) {
                Thread.ofVirtual().start(() -> drain(first));
                assertThat(second.status()).isEqualTo(200);
                second.vanish();
            }
        }
    }

    private static void drain(RawClient client) {
        try {
            client.skip(7_000_000);
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    /** What the system took counts as read in the first window. */
    @Test
    void shouldCutOffAClientWhenItReadsNoneOfItsPage() throws Exception {
        try (RawClient client = asking(outcomes)) {
            awaitTaken();
            await("the memory to be given back")
                    .atMost(WINDOW.multipliedBy(2).plusSeconds(5))
                    .until(() -> taken() == 0);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void shouldGiveBackItsMemoryWhenTheClientLeavesAtOnce() throws Exception {
        for (int i = 0; i < 10; i++) {
            try (RawClient client = asking(outcomes)) {
                client.vanish();
            }
        }
        shouldHoldNothingWhenAllClientsAreGone();
        assertThat(server.fetch(outcomes).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldSayThatThePageIsTooLargeWhenItWouldNeverFit() {
        HttpResponse<String> answer = server.fetch(outcomes.replace("branch-0", "branch-1"));

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("smaller pageSize").contains("BODY_TOO_LARGE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/outcomes/case-0/branch-1/1", "/outcomes/case-0/branch-1/1/stdout.txt", "/trials/case-0/1"})
    void shouldRefuseASingleItemWhenItWouldNeverFit(String path) {
        HttpResponse<String> answer = server.fetch(campaign + path);

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("BODY_TOO_LARGE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/outcomes/case-1/branch-1/1", "/outcomes/case-1/branch-1/1/stdout.txt", "/trials/case-1/1"})
    void shouldTakeMemoryForASingleItemUntilItsLastByteIsSent(String path) throws Exception {
        assertThat(server.fetch(campaign + path).body()).contains("rrrr");
        try (RawClient client = asking(campaign + path)) {
            awaitTaken();
            client.vanish();
        }
    }

    @Test
    void shouldTakeMemoryForAnEvaluationUntilItsLastByteIsSent() throws Exception {
        String id = Json.tree(server.post(
                                "/api/v1/evaluations",
                                "application/json",
                                "{\"prompts\": [\"Why?\"], \"branches\": [{\"provider\": \"openai\", \"model\":"
                                        + " \"m\"}]}")
                        .body())
                .path("id")
                .asText();
        SAMPLE.recordOutcome(server.store(), id, 0, 0, "COMPLETED", true);
        server.store().execute(LARGE + " WHERE campaign_id = ?", id);
        assertThat(server.fetch("/api/v1/evaluations/" + id).body()).contains("rrrr");
        try (RawClient client = asking("/api/v1/evaluations/" + id)) {
            awaitTaken();
            client.vanish();
        }
    }

    @Test
    void shouldRefuseAFileAndCutOffItsReadersWhenEightReadNothing() throws Exception {
        List<RawClient> readers = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                readers.add(asking(export));
                assertThat(readers.getLast().status()).isEqualTo(200);
            }
            HttpResponse<String> ninth = server.fetch(export);
            assertThat(ninth.statusCode()).isEqualTo(503);
            assertThat(ninth.headers().firstValue("Retry-After")).contains("5");
            assertThat(server.fetch("/api/v1/campaigns").statusCode()).isEqualTo(200);

            await("the readers to be cut off")
                    .atMost(WINDOW.multipliedBy(2).plusSeconds(10))
                    .until(() -> server.fetch(export).statusCode() == 200);
        } finally {
            for (RawClient reader : readers) {
                reader.vanish();
            }
        }
    }
}
