package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Temporal that takes connections and says nothing, as one that hangs or a firewall that drops what it gets. */
@Tag("slow")
class TemporalDeadlineTest {

    private static final Duration BOUND = Duration.ofSeconds(5);
    /** For a machine that is busy with other tests. */
    private static final Duration SLACK = Duration.ofSeconds(20);

    private ServerSocket silent;
    private WorkflowServiceStubs stubs;
    private ServerFixture server;

    @BeforeEach
    void start() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        stubs = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setTarget("127.0.0.1:" + silent.getLocalPort())
                .build());
        server = ServerFixture.startWith(WorkflowClient.newInstance(stubs));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        stubs.shutdownNow();
        silent.close();
    }

    @Test
    void shouldTakeACampaignAndAnswer503ToItsPauseWhenTemporalNeverAnswers() {
        Instant before = Instant.now();
        String id = server.submit(new SampleCampaign("kept", 2, 1, 1));
        Duration submitted = Duration.between(before, Instant.now());
        HttpResponse<String> paused = server.post("/api/v1/campaigns/" + id + "/pause");
        Duration asked = Duration.between(before.plus(submitted), Instant.now());

        assertThat(submitted).isBetween(BOUND, BOUND.plus(SLACK));
        assertThat(asked).isBetween(BOUND, BOUND.plus(SLACK));
        assertThat(paused.statusCode()).as(paused.body()).isEqualTo(503);
        assertThat(Json.tree(paused.body()).path("code").asText()).isEqualTo("STORE_UNAVAILABLE");
    }
}
