package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.campaigns.upkeep.Retention;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.json.Json;
import dev.assay.domain.retention.RetentionRules;
import dev.assay.store.SampleCampaign;
import dev.assay.store.removal.RemovalRepository;
import dev.assay.web.ServerFixture;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CampaignDeletionTest {

    private static final SampleCampaign SAMPLE = new SampleCampaign("deleted", 2, 2, 1);

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> delete(String id) {
        return server.send(server.request("/api/v1/campaigns/" + id).DELETE());
    }

    private static String ended() {
        String id = server.submit(SAMPLE);
        SAMPLE.recordOutcome(server.store(), id, 0, 0, "COMPLETED", true);
        server.post("/api/v1/campaigns/" + id + "/cancel");
        return id;
    }

    @Test
    void shouldBeGoneWhenItHadEnded() {
        String id = ended();

        HttpResponse<String> answer = delete(id);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
        assertThat(answer.body()).isEmpty();
        assertThat(server.fetch("/api/v1/campaigns/" + id).statusCode()).isEqualTo(404);
        assertThat(server.fetch("/api/v1/campaigns/" + id + "/matrix").statusCode())
                .isEqualTo(404);
        assertThat(server.store().count("SELECT count(*) FROM outcome WHERE campaign_id = ?", id))
                .isZero();
        assertThat(delete(id).statusCode()).isEqualTo(404);
        assertThat(server.post("/api/v1/campaigns/" + id + "/resume").statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldSayWhatToDoWhenItGoesOn() {
        String id = server.submit(SAMPLE);

        HttpResponse<String> answer = delete(id);

        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(Json.tree(answer.body()).get("detail").asText()).contains("cancel it");
        assertThat(server.fetch("/api/v1/campaigns/" + id).statusCode()).isEqualTo(200);
    }

    /** An ended campaign of another server. */
    private static String ended(ServerFixture other) {
        String id = other.submit(SAMPLE);
        SAMPLE.recordOutcome(other.store(), id, 0, 0, "COMPLETED", true);
        other.store().execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = ?", id);
        return id;
    }

    private static void awaitRemoval(ServerFixture other, String id) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(other.store().count("SELECT count(*) FROM campaign WHERE campaign_id = ?", id))
                    .isZero();
            assertThat(other.store().count("SELECT count(*) FROM outcome WHERE campaign_id = ?", id))
                    .isZero();
        });
    }

    @Test
    void shouldBeFinishedByTheNextServerWhenTheOneBeforeWasKilled() {
        try (ServerFixture next = ServerFixture.start()) {
            String id = ended(next);
            next.get(RemovalRepository.class).begin(id);

            next.get(Retention.class).start();

            awaitRemoval(next, id);
        }
    }

    @Test
    void shouldLeaveTheRowsToTheBackgroundWhenTheServerStays() {
        try (ServerFixture staying = ServerFixture.start()) {
            String id = ended(staying);
            staying.get(Retention.class).start();

            assertThat(staying.send(staying.request("/api/v1/campaigns/" + id).DELETE())
                            .statusCode())
                    .isEqualTo(204);

            assertThat(staying.fetch("/api/v1/campaigns/" + id).statusCode()).isEqualTo(404);
            assertThat(staying.send(staying.request("/api/v1/campaigns/" + id).DELETE())
                            .statusCode())
                    .isEqualTo(404);
            assertThat(staying.json("/api/v1/campaigns").get("items")).isEmpty();
            awaitRemoval(staying, id);
        }
    }

    @Test
    void shouldDeleteWhatEndedLongAgoAndKeepItsLedger() {
        try (ServerFixture keeping = ServerFixture.start()) {
            keeping.store()
                    .context()
                    .registerSingleton(
                            RetentionRules.class,
                            new RetentionRules(
                                    Map.of(CampaignState.COMPLETED, Duration.ofDays(1)), Duration.ofDays(1), 100));
            String old = ended(keeping);
            String young = ended(keeping);
            keeping.store()
                    .execute("UPDATE campaign SET changed_at = now() - interval '2 days' WHERE campaign_id = ?", old);
            keeping.store().execute("""
                INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id,
                    epoch, state, settled_at) VALUES (1, ?, 0, 'branch', 0, 1, 1, 'p', 'm', 'w', 1, 'ANSWERED', now())\
                """, old);

            keeping.get(Retention.class).start();

            awaitRemoval(keeping, old);
            assertThat(keeping.fetch("/api/v1/campaigns/" + young).statusCode()).isEqualTo(200);
            assertThat(keeping.store().count("SELECT count(*) FROM ledger JOIN kept_ledger USING (campaign_id)"))
                    .isOne();
        }
    }

    @Test
    void shouldNotWaitForTemporalLongWhenItIsLost() {
        try (ServerFixture lonely = ServerFixture.start()) {
            String id = lonely.submit(SAMPLE);
            lonely.store().execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = ?", id);
            lonely.loseTemporal();

            assertThat(lonely.send(lonely.request("/api/v1/campaigns/" + id).DELETE())
                            .statusCode())
                    .isEqualTo(204);
        }
    }
}
