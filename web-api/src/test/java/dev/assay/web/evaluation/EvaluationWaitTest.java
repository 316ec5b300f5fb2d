package dev.assay.web.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.assay.domain.json.Json;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Clients that wait for the end of an evaluation, and do not stay until it comes. */
@Timeout(90)
class EvaluationWaitTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CLIENTS = 50;

    private static List<RawClient> waiting(ServerFixture server) throws IOException {
        String body = server.post(
                        "/api/v1/evaluations",
                        "application/json",
                        "{\"prompts\": [\"Why?\"], \"branches\": [{\"provider\": \"openai\", \"model\": \"m\"}]}")
                .body();
        String path = "/api/v1/evaluations/" + Json.tree(body).path("id").asText();
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            RawClient client = new RawClient(server.uri(), PATIENCE);
            client.send("GET " + path + "?wait=1m HTTP/1.1\r\nHost: localhost\r\n\r\n");
            clients.add(client);
        }
        await().atMost(PATIENCE).until(() -> waits(server) == CLIENTS);
        return clients;
    }

    private static int waits(ServerFixture server) {
        return server.get(EvaluationWait.class).waits();
    }

    @Test
    void shouldEndTheWaitWhenItsClientLeaves() throws Exception {
        try (ServerFixture server = ServerFixture.start()) {
            List<RawClient> clients = waiting(server);
            for (int i = 0; i < CLIENTS; i++) {
                if (i % 2 == 0) {
                    clients.get(i).vanish();
                } else {
                    clients.get(i).close();
                }
            }

            await().atMost(Duration.ofSeconds(3)).until(() -> waits(server) == 0);
            assertThat(server.fetch("/api/v1/campaigns").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldSayLittleInTheLogWhenTheServerStopsWhileManyWaitAndWatch() throws Exception {
        ServerFixture server = ServerFixture.start(Map.of());
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger("ROOT");
        try {
            List<RawClient> clients = waiting(server);
            log.start();
            root.addAppender(log);
            server.close();
            for (RawClient client : clients) {
                client.close();
            }
        } finally {
            root.detachAppender(log);
        }

        assertThat(new ArrayList<>(log.list))
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage)
                .hasSizeLessThan(5);
    }
}
