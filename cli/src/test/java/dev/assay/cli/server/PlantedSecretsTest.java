package dev.assay.cli.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.cli.Assay;
import dev.assay.cli.testing.Api;
import dev.assay.domain.json.Json;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.server.Endpoints;
import dev.assay.standalone.testing.JavaProcess;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/**
 * Every server that is asked says the key or variable again that it was sent; some of them stand in files. After the campaign neither stands in the database, in
 * Temporal's histories, in a log, in an answer of the API, in a cassette or on the terminal.
 */
@Tag("slow")
class PlantedSecretsTest {

    private static final String KEY = "sk-planted-0123456789abcdef";
    private static final String VARIABLE = "tool-planted-fedcba9876543210";
    private static final String IN_FILE = "file-planted-0f1e2d3c4b5a6978";

    private static final Pattern WRITTEN = Pattern.compile("\\.(db|db-wal|json|jsonl|log|out|txt)$");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path temporary;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private Process run;

    @BeforeEach
    void prepare() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/tool", exchange -> answer(exchange, 200, "text/plain", kept(exchange)));
        server.createContext("/broken", exchange -> answer(exchange, 500, "text/plain", kept(exchange)));
        server.createContext("/v1/chat/completions", this::model);
        server.start();
        Path data = Files.createDirectory(temporary.resolve("data"));
        Files.writeString(data.resolve("tools.yaml"), """
            addresses: [{url: "%s", variables: {planted: PLANTED_SECRET, filed: FILED_SECRET}}]
            """.formatted(url()));
    }

    @AfterEach
    void stop() throws Exception {
        if (run != null) {
            run.destroy();
            run.waitFor();
        }
        server.stop(0);
        threads.shutdownNow();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private String kept(HttpExchange exchange) {
        heard.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().getFirst("Authorization"));
        return said(exchange);
    }

    private static String said(HttpExchange exchange) {
        return "You sent " + exchange.getRequestHeaders().getFirst("Authorization");
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.getBytes(UTF_8).length);
            exchange.getResponseBody().write(body.getBytes(UTF_8));
        }
    }

    /** Calls both tools and then says what it heard; or fails, as its name says, and quotes the key. */
    private void model(HttpExchange exchange) throws IOException {
        JsonNode request = Json.tree(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        String error = Json.write(Map.of("error", Map.of("message", said(exchange))));
        switch (request.path("model").asText()) {
            case "refuses" -> answer(exchange, 401, "application/json", error);
            case "breaks" -> answer(exchange, 500, "application/json", error);
            case "babbles" -> answer(exchange, 200, "application/json", "no JSON, but " + said(exchange));
            default ->
                answer(
                        exchange,
                        200,
                        "application/json",
                        turn(request.path("messages").findValuesAsText("content")));
        }
    }

    private static String turn(List<String> heard) {
        boolean isAsked = heard.stream().noneMatch(text -> text.startsWith("You sent"));
        String message = isAsked ? """
            "content": null, "tool_calls": [
              {"id": "1", "type": "function", "function": {"name": "echo", "arguments": "{}"}},
              {"id": "2", "type": "function", "function": {"name": "broken", "arguments": "{}"}}]\
            """ : "\"content\":" + " " + Json.write(heard.toString());
        return """
            {"id": "1", "model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", %s}}],
             "usage": {"prompt_tokens": 5, "completion_tokens": 10, "total_tokens": 15}}\
            """.formatted(message);
    }

    private String campaign() {
        String tool = "{type: http, name: %s, description: Says., url: \"" + url()
                + "/%s\", headers: {Authorization: \"Bearer ${%s}\"}}";
        return """
            name: planted
            cases: [{id: c, prompt: What did you hear?}]
            branches:
              - {id: calls, provider: openai, model: calls, tools: [%s, %s]}
              - {id: refuses, provider: openai, model: refuses}
              - {id: breaks, provider: openai, model: breaks}
              - {id: babbles, provider: openai, model: babbles}
            limits: {maxAttempts: 2}
            """.formatted(tool.formatted("echo", "tool", "planted"), tool.formatted("broken", "broken", "filed"));
    }

    @Test
    void shouldSayNoSecretAnywhereAfterACampaignWhoseServersRepeatThem() throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        Path campaign = Files.writeString(temporary.resolve("campaign.yaml"), campaign());
        Path cassette = temporary.resolve("recorded.jsonl");
        run = start("up", "--port", "0", "--engine", "dev-server");
        try (Api api = new Api(temporary.resolve("data"))) {
            Endpoints endpoints = api.await();
            Process command = start("run", campaign.toString(), "--record", cassette.toString(), "--json");
            assertThat(command.waitFor(Api.PATIENCE)).isTrue();
            String id = api.newest().orElseThrow();
            assertThat(api.state(id)).isEqualTo("COMPLETED");

            Map<String, String> places = new LinkedHashMap<>();
            places.put("database", rows(DatabaseAddress.parse(endpoints.database())));
            for (String path : List.of("", "/outcomes", "/selections", "/report", "/cassette")) {
                places.put(
                        "API " + path,
                        api.send("/api/v1/campaigns/" + id + path, PATIENCE).body());
            }
            run.destroy();
            assertThat(run.waitFor(PATIENCE)).isTrue();
            for (Path file : files()) {
                places.put(file.toString(), Files.readString(file, ISO_8859_1));
            }
            assertThat(holding(places, "You sent Bearer [secret]")).contains("database", "API /outcomes");
            assertThat(holding(places, "You sent Bearer [key]")).contains("database", "API /outcomes");
            assertThat(holding(places, id))
                    .as("what is searched")
                    .anyMatch(place -> place.contains("/temporal/temporal-"));
            assertThat(holding(places, KEY)).isEmpty();
            assertThat(holding(places, VARIABLE)).isEmpty();
            assertThat(holding(places, IN_FILE)).isEmpty();
            assertThat(heard).contains("/tool Bearer " + VARIABLE, "/broken Bearer " + IN_FILE);
        }
    }

    /** Where a text is found. */
    private static List<String> holding(Map<String, String> places, String text) {
        return places.keySet().stream()
                .filter(place -> requireNonNull(places.get(place)).contains(text))
                .toList();
    }

    private Process start(String... arguments) throws IOException {
        ProcessBuilder command = JavaProcess.of(Assay.class, arguments)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        temporary.resolve("terminal.txt").toFile()));
        command.environment()
                .putAll(Map.of(
                        "ASSAY_DATA",
                        temporary.resolve("data").toString(),
                        "OPENAI_BASE_URL",
                        url() + "/v1",
                        "OPENAI_API_KEY_FILE",
                        file("key", KEY),
                        "PLANTED_SECRET",
                        VARIABLE,
                        "FILED_SECRET_FILE",
                        file("filed", IN_FILE)));
        return command.start();
    }

    private String file(String name, String secret) throws IOException {
        return Files.writeString(temporary.resolve(name), secret + "\n").toString();
    }

    /** Each row of each table, as text. */
    private static String rows(DatabaseAddress database) throws Exception {
        StringWriter rows = new StringWriter();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet names = statement.executeQuery(
                    "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()")) {
                while (names.next()) {
                    tables.add(names.getString(1));
                }
            }
            for (String table : tables) {
                connection.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY " + table + " TO STDOUT", rows);
            }
        }
        return rows.toString();
    }

    /** What was written, but for the programs and files of PostgreSQL, whose rows are read. */
    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> WRITTEN.matcher(file.toString()).find())
                    .toList();
        }
    }
}
