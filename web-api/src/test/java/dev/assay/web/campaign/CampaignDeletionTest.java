package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.campaigns.upkeep.CampaignReconciler;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.store.removal.RemovalRepository;
import dev.assay.web.ServerFixture;
import java.net.http.HttpResponse;
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

    @Test
    void shouldBeFinishedByTheNextServerWhenTheOneBeforeWasKilled() {
        String id = ended();
        server.get(RemovalRepository.class).begin(id);

        server.get(CampaignReconciler.class).reconcile();

        assertThat(server.store().count("SELECT count(*) FROM campaign WHERE campaign_id = ?", id))
                .isZero();
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
