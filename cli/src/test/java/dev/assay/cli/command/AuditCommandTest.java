package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.assay.cli.testing.CommandRun;
import dev.assay.domain.json.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The audit of a server that says anything, on two pages. */
class AuditCommandTest {

    private static final String FIRST = """
        {"items": [{"id": 3, "at": "2026-11-25T18:00:01.5Z", "who": "unknown", "what": "GET /\\u001b[2J", "from": "10.0.0.1",
            "status": 401, "object": null, "refused": true, "repeated": 41}], "nextPageToken": "a+b/c="}\
        """;
    private static final String LAST = """
        {"items": [{"id": 2, "at": "2026-11-25T18:00:00Z", "who": "ada", "what": "token create x", "from": "assay token",
            "status": null, "object": "x", "refused": false, "repeated": 0}], "nextPageToken": null}\
        """;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/audit", exchange -> {
            String query = exchange.getRequestURI().getQuery();
            asked.add(query);
            byte[] answer = (query.contains("pageToken") ? LAST : FIRST).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private CommandRun audit(String... options) {
        String[] all = java.util.Arrays.copyOf(options, options.length + 3);
        System.arraycopy(options, 0, all, 1, options.length);
        all[0] = "audit";
        all[options.length + 1] = "--server";
        all[options.length + 2] = "http://127.0.0.1:" + server.getAddress().getPort();
        return CommandRun.of(all);
    }

    @Test
    void shouldPrintTheRowsOfAllPagesWithoutControlCharacters() {
        CommandRun run = audit();

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines())
                .containsExactly(
                        "2026-11-25T18:00:01Z  401  unknown           10.0.0.1         GET /\\u001b[2J (and 41 more)",
                        "2026-11-25T18:00:00Z  -    ada               assay token      token create x");
        assertThat(asked).containsExactly("pageSize=500", "pageSize=500&pageToken=a+b/c=");
    }

    @Test
    void shouldPrintOneListWhenItIsAskedForJson() {
        CommandRun run = audit(
                "--json",
                "--who",
                "a b",
                "--object",
                "x",
                "--from",
                "2026-11-25T18:00:00Z",
                "--to",
                "later",
                "--refused");

        JsonNode rows = Json.tree(run.out());
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).get("what").asText()).isEqualTo("GET /\u001b[2J");
        assertThat(run.out()).doesNotContain("\u001b");
        assertThat(asked.getFirst())
                .isEqualTo("who=a b&object=x&from=2026-11-25T18:00:00Z&to=later&refused=true&pageSize=500");
    }
}
