package dev.assay.web.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who watches a campaign of which nothing is recorded is sent nothing, and learns of what is. */
@Timeout(120)
final class SleepingClientsTest {

    private static final SampleCampaign SAMPLE = new SampleCampaign("sleeping", 2, 2, 1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void change(String id) {
        assertThat(server.store()
                        .execute("UPDATE campaign SET max_concurrent = max_concurrent + 1 WHERE campaign_id = ?", id))
                .isOne();
    }

    private static HttpResponse<String> get(String id, String tag) {
        return server.send(server.request("/api/v1/campaigns/" + id).header("If-None-Match", tag));
    }

    private static String tag(HttpResponse<String> answer) {
        return answer.headers().firstValue("ETag").orElseThrow();
    }

    @Test
    void shouldSendNothingUntilSomethingIsRecorded() throws Exception {
        String id = server.submit(SAMPLE);
        List<String> events = new CopyOnWriteArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            Stream<String> lines = client.send(
                            server.request("/api/v1/campaigns/" + id + "/events?matrix=true")
                                    .timeout(Duration.ofMinutes(2))
                                    .build(),
                            BodyHandlers.ofLines())
                    .body();
            Thread reader = Thread.ofVirtual()
                    .start(() -> lines.filter(line -> line.startsWith("event: progress"))
                            .forEach(events::add));
            await().atMost(PATIENCE).until(() -> !events.isEmpty());
            await().atMost(PATIENCE).during(Duration.ofSeconds(4)).until(() -> events.size() <= 2);

            int before = events.size();
            change(id);

            await().atMost(PATIENCE).until(() -> events.size() > before);
            server.post("/api/v1/campaigns/" + id + "/cancel");
            reader.join(PATIENCE);
            assertThat(reader.isAlive())
                    .as("the stream ended with the campaign")
                    .isFalse();
        }
    }

    @Test
    void shouldAnswerThatNothingChangedToWhoHasTheNewest() {
        String id = server.submit(SAMPLE);
        // Its workflow begins meanwhile, and a tag holds for 15 s at most.
        await().atMost(PATIENCE).untilAsserted(() -> {
            String tag = tag(server.fetch("/api/v1/campaigns/" + id));
            HttpResponse<String> again = get(id, tag);
            assertThat(again.statusCode()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(tag(again)).isEqualTo(tag);
        });
        String before = tag(server.fetch("/api/v1/campaigns/" + id));

        change(id);

        await().atMost(PATIENCE).untilAsserted(() -> {
            HttpResponse<String> answer = get(id, before);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains(id);
            assertThat(tag(answer)).isNotEqualTo(before);
        });
    }

    @Test
    void shouldAnswerNotFoundToWhoHasATagOfACampaignThatIsDeleted() {
        String id = server.submit(SAMPLE);
        String tag = tag(server.fetch("/api/v1/campaigns/" + id));
        server.store().execute("UPDATE campaign SET deleted_at = now() WHERE campaign_id = ?", id);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get(id, tag).statusCode()).isEqualTo(404));
        assertThat(get(id, "\"\"").statusCode()).isEqualTo(404);
        assertThat(get("none-at-all", "\".0\"").statusCode()).isEqualTo(404);
    }
}
