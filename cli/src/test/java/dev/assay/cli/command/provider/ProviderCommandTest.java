package dev.assay.cli.command.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.assay.cli.testing.CommandRun;
import dev.assay.domain.json.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The limits of a server that says anything. */
class ProviderCommandTest {

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String sent = "";
    private volatile String answer = "{\"items\": []}";
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/providers", exchange -> {
            asked.add(exchange.getRequestURI().getRawPath());
            sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
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
        return run("show", options);
    }

    private CommandRun run(String command, String... options) {
        List<String> all = new ArrayList<>(List.of("provider", command));
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

    @Test
    void shouldListProviders() {
        answer = """
            {"items": [{"name": "openai", "hasKey": true, "keyVariable": "OPENAI_API_KEY", "workers": 3, "maxConcurrent": 1000},
                       {"name": "ollama", "hasKey": true, "keyVariable": null, "workers": 1, "maxConcurrent": 4},
                       {"name": "mistral", "hasKey": false, "keyVariable": "MISTRAL_API_KEY", "workers": 0, "maxConcurrent": 4}]}\
            """;

        assertThat(run("list").out().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "Provider Key State Workers In flight at most",
                        "openai OPENAI_API_KEY enabled 3 1,000",
                        "ollama none needed enabled 1 4",
                        "mistral MISTRAL_API_KEY missing 0 4");
        assertThat(run("list", "--json").out()).contains("\"items\"");
        answer = "{\"items\": []}";
        assertThat(run("list").out()).isEqualTo("No live worker reports a provider.\n");
    }

    @Test
    void shouldListEachOfSeveralKeys() {
        answer = """
            {"items": [{"name": "openai", "hasKey": true, "keyVariable": "A", "maxConcurrent": 50, "workers": 2, "keys": [
              {"name": "main", "variable": "A", "state": "enabled", "reason": null, "workers": 2},
              {"name": "second", "variable": "B", "state": "disabled", "reason": "AUTH", "workers": 1}]}]}\
            """;

        assertThat(run("list").out().lines().skip(1).map(line -> line.replaceAll(" +", " ")))
                .containsExactly("openai main (A) enabled 2 50", "openai second (B) disabled: AUTH 1 50");
    }

    @Test
    void shouldSendWhatAKeyIsToBe() {
        answer = "{\"name\": \"second\", \"state\": \"draining\"}";

        CommandRun drained = run("key", "openai", "se cond", "--drain", "--reason", "rotated");

        assertThat(drained.code()).as(drained.err()).isZero();
        assertThat(drained.out()).isEqualTo("Key se cond of openai is to be draining.%n".formatted());
        assertThat(asked).containsExactly("/api/v1/providers/openai/keys/se%20cond");
        assertThat(Json.tree(sent)).isEqualTo(Json.tree("{\"state\": \"draining\", \"reason\": \"rotated\"}"));
        assertThat(run("key", "openai", "second", "--enable", "--reason", "r").code())
                .isZero();
        assertThat(Json.tree(sent).get("state").asText()).isEqualTo("enabled");
        assertThat(run("key", "openai", "second", "--reason", "r").code()).isEqualTo(2);
        assertThat(run("key", "openai", "second", "--drain", "--enable", "--reason", "r")
                        .code())
                .isEqualTo(2);
        assertThat(run("key", "openai", "second", "--drain").code()).isEqualTo(2);
        status = 409;
        assertThat(run("key", "openai", "second", "--drain", "--reason", "r").code())
                .isEqualTo(1);
    }

    @Test
    void shouldSendWhatChanges() {
        CommandRun run = run(
                "limits",
                "openai",
                "--models",
                "gpt*",
                "--tokens-per-minute",
                "1000000",
                "--requests-per-day",
                "none",
                "--reason",
                "shared with production");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(sent)
                .isEqualTo("{\"models\":\"gpt*\",\"reason\":\"shared with production\",\"tokensPerMinute\":1000000,"
                        + "\"requestsPerDay\":null}");
        assertThat(run("limits", "x", "--models", "*", "--account", "a", "--tokens-per-day", "1", "--reason", "r")
                        .code())
                .isZero();
        assertThat(sent).contains("\"account\":\"a\"");
    }

    @Test
    void shouldExitWith2WhenTheUsageIsWrong() {
        assertThat(run("limits", "openai", "--models", "*", "--reason", "r").code())
                .as("nothing changes")
                .isEqualTo(2);
        assertThat(run("limits", "openai", "--tokens-per-day", "1", "--reason", "r")
                        .code())
                .isEqualTo(2);
        assertThat(run("limits", "openai", "--models", "*", "--tokens-per-day", "1")
                        .code())
                .as("a reason is required")
                .isEqualTo(2);
        for (String units : List.of("many", "-1", "1e9", "", "1".repeat(31))) {
            assertThat(run("limits", "openai", "--models", "*", "--tokens-per-day", units, "--reason", "r")
                            .code())
                    .as(units)
                    .isEqualTo(2);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void shouldExitWith1WhenTheServerRefusesAndWith2WhenItFindsTheInputInvalid() {
        status = 422;
        answer = "{\"code\": \"INVALID_INPUT\", \"detail\": \"The change of limits has an error\"}";

        String[] tooFew = {"openai", "--models", "*", "--tokens-per-day", "0", "--reason", "r"};
        assertThat(run("limits", tooFew).code()).as("as of every command").isEqualTo(2);

        status = 403;
        answer = "{\"code\": \"FORBIDDEN\", \"detail\": \"The token does not allow this\"}";
        assertThat(run("limits", tooFew).code()).isEqualTo(1);
        status = 404;
        answer = "{\"code\": \"NOT_FOUND\", \"detail\": \"No live worker reports it\"}";
        assertThat(run("changes", "openai").code()).isEqualTo(1);
        assertThat(run("limits", tooFew).code()).isEqualTo(1);
    }

    @Test
    void shouldPrintChangesAsLinesOrAsAList() {
        answer = """
            {"items": [{"id": 2, "at": "2026-11-26T09:00:00Z", "provider": "openai", "account": "default", "models": "gpt*",
                        "name": "tokensPerDay", "old": "5", "new": null, "why": "manual", "who": "chief", "reason": "\\u001b[2J"}],
             "nextPageToken": null}\
            """;

        assertThat(run("changes", "openai").out())
                .isEqualTo("2026-11-26T09:00:00Z  tokensPerDay of gpt* (default): 5 → none, manual by chief:"
                        + " \\u001b[2J\n");
        assertThat(run("changes", "openai", "--json").out()).startsWith("[").contains("\"tokensPerDay\"");
    }
}
