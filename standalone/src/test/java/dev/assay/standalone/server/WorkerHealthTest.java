package dev.assay.standalone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.access.LocalDoor;
import dev.assay.domain.json.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WorkerHealthTest {

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static final HealthDoor LOCAL = new HealthDoor.Local(new LocalDoor(Set.of()));

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
                ANY,
                LOCAL,
                Map.of("lease", lease::get, "temporal", () -> true),
                null,
                () -> "assay_calls_seconds_count 1\n")) {
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
        try (WorkerHealth health = WorkerHealth.start(ANY, LOCAL, Map.of(), null, () -> "")) {
            InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), health.port());
            assertThatThrownBy(() -> WorkerHealth.start(taken, LOCAL, Map.of(), null, () -> ""))
                    .hasMessageContaining("--health-port");
        }
    }

    private static int status(WorkerHealth health, String path, String headers) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), health.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.split(" ")[1]);
        }
    }

    @Test
    void shouldRefuseAPageOfOthersWhenOnlyThisMachineMayAsk() throws Exception {
        try (WorkerHealth health = WorkerHealth.start(ANY, LOCAL, Map.of(), null, () -> "")) {
            for (String path : List.of("/health/liveness", "/health/readiness", "/prometheus")) {
                assertThat(status(health, path, "Host: localhost\r\n")).isEqualTo(200);
                assertThat(status(health, path, "Host: evil.example\r\n")).isEqualTo(403);
                assertThat(status(health, path, "Host: localhost\r\nOrigin: null\r\n"))
                        .isEqualTo(403);
            }
        }
    }

    @Test
    void shouldAskForATokenBeforeMetricsOnlyWhenOthersCanReachIt() throws Exception {
        HealthDoor door = new HealthDoor.Tokens("right"::equals);
        try (WorkerHealth health = WorkerHealth.start(ANY, door, Map.of(), null, () -> "")) {
            assertThat(status(health, "/health/liveness", "Host: worker\r\n")).isEqualTo(200);
            assertThat(status(health, "/health/readiness", "Host: worker\r\n")).isEqualTo(200);
            assertThat(status(health, "/prometheus", "Host: worker\r\n")).isEqualTo(401);
            assertThat(status(health, "/prometheus", "Host: worker\r\nAuthorization: Bearer wrong\r\n"))
                    .isEqualTo(401);
            assertThat(status(health, "/prometheus", "Host: worker\r\nAuthorization: Bearer right\r\n"))
                    .isEqualTo(200);
        }
    }
}
