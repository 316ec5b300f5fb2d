package dev.assay.web.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FinalErrorsApiTest {

    private static final SampleCampaign SAMPLE = new SampleCampaign("capitals", 2, 2, 3);

    private ServerFixture server;
    private String id;

    @BeforeEach
    void start() {
        server = ServerFixture.start();
        id = server.submit(SAMPLE);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void error(int ordinal, String code, String message, int secondsAgo) {
        SAMPLE.recordOutcome(server.store(), id, ordinal, 0, "MODEL_ERROR", false);
        server.store().execute("""
            UPDATE outcome SET error_code = ?, error_message = ?, finished_at = now() - ? * interval '1 second'
            WHERE campaign_id = ? AND ordinal = ?\
            """, code, message, secondsAgo, id, ordinal);
    }

    @Test
    void shouldCountErrorsByCodeWithTheNewestWords() {
        error(0, "PROVIDER_TIMEOUT", "older", 60);
        error(1, "PROVIDER_TIMEOUT", "x".repeat(600), 10);
        error(2, "PROVIDER_REJECTED", "refused", 30);
        SAMPLE.recordOutcome(server.store(), id, 3, 0, "COMPLETED", false);

        JsonNode items = server.json("/api/v1/campaigns/" + id + "/errors").get("items");

        assertThat(items.findValuesAsText("code")).containsExactly("PROVIDER_TIMEOUT", "PROVIDER_REJECTED");
        assertThat(items.at("/0/cells").asInt()).isEqualTo(2);
        assertThat(items.at("/0/message").asText()).isEqualTo("x".repeat(500));
        assertThat(items.at("/1/message").asText()).isEqualTo("refused");
    }

    @Test
    void shouldBeEmptyWithoutErrorsAndUnknownWithoutACampaign() {
        assertThat(server.json("/api/v1/campaigns/" + id + "/errors").get("items"))
                .isEmpty();
        assertThat(server.fetch("/api/v1/campaigns/none/errors").statusCode()).isEqualTo(404);
    }
}
