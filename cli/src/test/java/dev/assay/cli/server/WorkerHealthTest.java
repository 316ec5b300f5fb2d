package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.json.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WorkerHealthTest {

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static HttpResponse<String> get(WorkerHealth health, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + health.port() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void shouldBeReadyOnlyWhileEveryPartIsUp() throws Exception {
        AtomicBoolean lease = new AtomicBoolean(true);
        try (WorkerHealth health = WorkerHealth.start(
                ANY, Map.of("lease", lease::get, "temporal", () -> true), () -> "assay_calls_seconds_count 1\n")) {
            assertThat(get(health, "/health/readiness").statusCode()).isEqualTo(200);
            lease.set(false);
            HttpResponse<String> down = get(health, "/health/readiness");
            assertThat(down.statusCode()).isEqualTo(503);
            assertThat(Json.tree(down.body()).at("/details/lease/status").asText())
                    .isEqualTo("DOWN");
            assertThat(Json.tree(down.body()).at("/details/temporal/status").asText())
                    .isEqualTo("UP");
            assertThat(get(health, "/health/liveness").statusCode()).isEqualTo(200);
            assertThat(get(health, "/prometheus").body()).isEqualTo("assay_calls_seconds_count 1\n");
        }
    }

    @Test
    void shouldNameTheOptionWhenThePortIsTaken() throws Exception {
        try (WorkerHealth health = WorkerHealth.start(ANY, Map.of(), () -> "")) {
            InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), health.port());
            assertThatThrownBy(() -> WorkerHealth.start(taken, Map.of(), () -> ""))
                    .hasMessageContaining("--health-port");
        }
    }
}
