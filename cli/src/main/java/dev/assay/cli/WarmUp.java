package dev.assay.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.engine.EngineKind;
import dev.assay.cli.process.DetachedCommand;
import dev.assay.cli.server.AssayServer;
import dev.assay.cli.server.DataDirectory;
import dev.assay.cli.server.OperatorFiles;
import dev.assay.cli.server.ServerOptions;
import dev.assay.domain.campaignfile.CampaignDocument;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A training run of the JVM, which the launcher starts after a build: everything starts, and a campaign asks a constant model. The
 * JVM remembers which classes that took and which methods were hot. It has both ready at later starts (JEP 514, JEP 515).
 */
public final class WarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;
    private static final int CASES = 700;

    private static final byte[] ANSWER = """
        {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0,
         "finish_reason": "stop", "message": {"role": "assistant", "content": "1"}}],
         "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}}\
        """.getBytes(StandardCharsets.UTF_8);

    private WarmUp() {}

    /** Ends with 0 also when only a part worked: the rest then starts more slowly, but correctly. */
    public static void main(String[] arguments) throws IOException {
        int port = model().getAddress().getPort();
        Path directory = Path.of(arguments[0]);
        // A dev server is reached over the network, which loads a thousand classes more.
        if (DetachedCommand.onPath("temporal").isPresent()) {
            run(EngineKind.DEV_SERVER, directory.resolve("dev-server"), port);
        }
        run(EngineKind.IN_PROCESS, directory.resolve("in-process"), port);
        System.exit(0);
    }

    private static void run(EngineKind engine, Path directory, int modelPort) throws IOException {
        DataDirectory data = DataDirectory.open(directory);
        Files.writeString(data.path().resolve(OperatorFiles.PROVIDERS), """
            providers:
              warm-up: {type: openai, keyless: true, baseUrl: "http://127.0.0.1:%d/v1"}
            """.formatted(modelPort));
        ServerOptions options = new ServerOptions("assay warm-up", "127.0.0.1", 0, engine, ServerOptions.Role.RUNNER);
        try (AssayServer server = AssayServer.tryStart(data, options).orElseThrow();
                AssayApi api = new AssayApi(server.api())) {
            String id = api.submit(CampaignDocument.parse(campaign())).id();
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!api.campaign(id).state().ended() && System.nanoTime() < deadline) {
                Thread.sleep(POLL_MILLIS);
            }
            api.report(id);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("The warm-up on {} was cut short: {}", engine.word(), e.toString());
        }
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
