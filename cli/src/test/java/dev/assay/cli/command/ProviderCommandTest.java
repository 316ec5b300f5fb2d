package dev.assay.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.assay.cli.testing.CommandRun;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The limits of a server that says anything. */
class ProviderCommandTest {

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String answer = "{\"items\": []}";
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/providers", exchange -> {
            asked.add(exchange.getRequestURI().getRawPath());
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private CommandRun show(String... options) {
        List<String> all = new java.util.ArrayList<>(List.of("provider", "show"));
        all.addAll(List.of(options));
        all.addAll(List.of("--server", "http://127.0.0.1:" + server.getAddress().getPort()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    void shouldPrintLimitsWhenAProviderHasSome() {
        answer = """
            {"items": [{"account": "default", "models": "gpt\\u001b[2J*", "waiting": 12, "limits": [
                {"name": "tokensPerMinute", "limit": 2000000, "why": "configured", "used": 2000100, "free": -100}]}]}\
            """;

        CommandRun run = show("open ai");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("tokensPerMinute", "2,000,000", "-100", "configured", "12")
                .contains("gpt\\u001b[2J*");
        assertThat(asked).containsExactly("/api/v1/providers/open%20ai/limits");
    }

    @Test
    void shouldSaySoWhenAProviderHasNone() {
        assertThat(show("openai").out()).isEqualTo("No limits are configured for openai.\n");
        assertThat(show("openai", "--json").out()).contains("\"items\"");
    }

    @Test
    void shouldFailWhenTheServerKnowsNoSuchProvider() {
        status = 404;
        answer = "{\"code\": \"NOT_FOUND\", \"detail\": \"No live worker reports a provider x\"}";

        assertThat(show("x").code()).isEqualTo(1);
        assertThat(CommandRun.of("provider").code()).isEqualTo(2);
    }
}
