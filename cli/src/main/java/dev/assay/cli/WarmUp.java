package dev.assay.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.cli.client.AssayApi;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.postgres.PreparedCluster;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.server.AssayServer;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.OperatorFiles;
import dev.assay.standalone.server.ServerOptions;
import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A training run of the JVM, which the launcher starts after a build. Everything starts, a campaign asks a constant model, its pages
 * are loaded as by a browser, and tests are imported. The JVM remembers which classes that took and which methods were hot. It has
 * both ready at later starts (JEP 514, JEP 515).
 */
public final class WarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;
    private static final int CASES = 700;
    private static final int TESTS = 300;

    /** The files that a page names. */
    private static final Pattern STATIC_FILES = Pattern.compile("/ui/static/[^\"']+");

    private static final byte[] ANSWER = """
        {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0,
         "finish_reason": "stop", "message": {"role": "assistant", "content": "1"}}],
         "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}}\
        """.getBytes(StandardCharsets.UTF_8);

    private WarmUp() {}

    /**
     * Ends with 0 also when only a part worked: the rest then starts more slowly, but correctly. The first argument is a directory for
     * its data; the others start a JVM that takes the class {@link ClientTraining} and its arguments.
     */
    public static void main(String[] arguments) throws IOException {
        PreparedCluster.make();
        int port = model().getAddress().getPort();
        Path directory = Path.of(arguments[0]);
        List<String> client = List.of(arguments).subList(1, arguments.length);
        // A dev server is reached over the network, which loads a thousand classes more.
        if (DetachedCommand.onPath("temporal").isPresent()) {
            run(EngineKind.DEV_SERVER, directory.resolve("dev-server"), port, List.of());
        }
        run(EngineKind.IN_PROCESS, directory.resolve("in-process"), port, client);
        importTests(directory);
        System.exit(0);
    }

    private static void run(EngineKind engine, Path directory, int modelPort, List<String> client) throws IOException {
        DataDirectory data = DataDirectory.open(directory);
        Files.writeString(data.path().resolve(OperatorFiles.PROVIDERS), """
            providers:
              warm-up: {type: openai, keyless: true, baseUrl: "http://127.0.0.1:%d/v1"}
            """.formatted(modelPort));
        ServerOptions options = new ServerOptions("assay warm-up", "127.0.0.1", 0, engine, ServerOptions.Role.SERVICE);
        try (AssayServer server = AssayServer.tryStart(data, options).orElseThrow();
                AssayApi api = new AssayApi(server.api())) {
            String id = api.submit(CampaignDocument.parse(campaign())).id();
            Process training = client.isEmpty() ? null : startClient(client, directory, id);
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!api.campaign(id).state().ended() && System.nanoTime() < deadline) {
                Thread.sleep(POLL_MILLIS);
            }
            api.report(id);
            browse(server.api(), id);
            if (training != null && training.waitFor() != 0) {
                LOG.warn("The training of a client ended with {}", training.exitValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            LOG.warn("The warm-up on {} was cut short: {}", engine.word(), e.toString());
        }
    }

    /** It works beside this process, on the campaign that goes on. */
    private static Process startClient(List<String> command, Path data, String campaign) throws IOException {
        Path file = Files.writeString(data.resolveSibling("campaign.yaml"), campaign());
        Stream<String> training = Stream.of(ClientTraining.class.getName(), data + "", campaign, file + "");
        return ChildProcess.of(Stream.concat(command.stream(), training).toList())
                .inheritIO()
                .start();
    }

    /** A browser with the results of a campaign; what it is answered matters to no later start. */
    private static void browse(URI api, String campaign) throws IOException, InterruptedException {
        try (HttpClient browser = HttpClient.newHttpClient()) {
            String shell = get(browser, api.resolve("/ui/campaigns/" + campaign + "/results"));
            Stream<String> files = STATIC_FILES
                    .matcher(shell)
                    .results()
                    .map(MatchResult::group)
                    .distinct();
            Stream<String> questions = Stream.of(
                            "", "/matrix", "/progress", "/cases?from=0&limit=64", "/failures", "/outcomes?pageSize=10")
                    .map(question -> "/api/v1/campaigns/" + campaign + question);
            for (String path : Stream.concat(files, questions).toList()) {
                get(browser, api.resolve(path));
            }
        }
    }

    private static String get(HttpClient browser, URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(LIMIT)
                .header("Accept-Encoding", "gzip")
                .build();
        return browser.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static void importTests(Path directory) throws IOException {
        Path file = directory.resolve("promptfooconfig.yaml");
        String tests = IntStream.range(0, TESTS)
                .mapToObj(i -> "  - {vars: {n: " + i
                        + "}, assert: [{type: icontains, value: one}, {type: regex, value: '[0-9]'}]}\n")
                .collect(Collectors.joining());
        Files.writeString(file, "prompts: ['Question {{ n }}?']\nproviders: [echo]\ntests:\n" + tests);
        Assay.commandLine()
                .execute(
                        "import",
                        file.toString(),
                        "--output",
                        directory.resolve("imported").toString());
    }

    private static String campaign() {
        String cases = IntStream.range(0, CASES)
                .mapToObj(i -> "  - {id: case-" + i + ", prompt: Question " + i
                        + "?, checks: [{type: icontains, value: one}, {type: regex, value: '[0-9]'}]}\n")
                .collect(Collectors.joining());
        return """
            name: warm-up
            cases:
            %sbranches:
              - {id: a, provider: warm-up, model: m, systemPrompt: Be brief.}
              - {id: b, provider: warm-up, model: m}
            checks:
              - {type: contains-all, value: [a, b], required: false}
              - {type: contains-any, value: [a, b], required: false}
              - {type: equals, value: '1', required: false}
              - {type: starts-with, value: '1', required: false}
              - {type: word-count, value: {min: 1, max: 9}, required: false}
              - {type: levenshtein, value: '12', required: false}
              - {type: rouge-n, value: '1', required: false}
              - {type: bleu, value: '1', required: false}
              - {type: gleu, value: '1', required: false}
              - {type: json, contains: true, required: false}
              - {type: html, contains: true, required: false}
              - {type: refusal, not: true, required: false}
              - {type: latency, threshold: 60000, required: false}
            strategy: {type: llm-judge, judge: {provider: warm-up, model: m, maxContextTokens: 1000}}
            limits: {maxConcurrent: 50}
            """.formatted(cases);
    }

    private static HttpServer model() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", WarmUp::answer);
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, ANSWER.length);
            exchange.getResponseBody().write(ANSWER);
        }
    }
}
