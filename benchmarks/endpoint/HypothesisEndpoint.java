import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An OpenAI-compatible endpoint that scores hypotheses: an answer takes a fixed time for each hypothesis in the call.
 *
 * <p>{@code java HypothesisEndpoint.java [MS]}: milliseconds for each hypothesis, 500 by default. It listens on the loopback address and
 * prints its base URL as the first line.
 *
 * <ul>
 *   <li>{@code POST /v1/chat/completions}: the same scores for each hypothesis of the prompt
 *   <li>{@code GET /stats}: calls, most in flight, and the times of the first request and of the last answer in milliseconds
 *       since 1970
 *   <li>{@code POST /reset}: forgets what was seen
 * </ul>
 */
public final class HypothesisEndpoint {

    private static final Pattern ID = Pattern.compile("<hypothesis id=\\\\\"(\\w+)\\\\\">");

    private final long millis;
    private long calls;
    private long inFlight;
    private long most;
    private long first;
    private long last;

    private HypothesisEndpoint(long millis) {
        this.millis = millis;
    }

    /** Serves until it is killed. */
    public static void main(String[] args) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HypothesisEndpoint endpoint = new HypothesisEndpoint(args.length == 0 ? 500 : Long.parseLong(args[0]));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/v1/chat/completions", endpoint::complete);
        server.createContext("/stats", endpoint::stats);
        server.createContext("/reset", endpoint::reset);
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/v1");
    }

    private synchronized void begins() {
        calls++;
        most = Math.max(most, ++inFlight);
        first = first == 0 ? System.currentTimeMillis() : first;
    }

    private synchronized void ends() {
        inFlight--;
        last = System.currentTimeMillis();
    }

    private void complete(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        begins();
        TreeSet<String> ids = new TreeSet<>();
        for (Matcher id = ID.matcher(body); id.find(); ) {
            ids.add(id.group(1));
        }
        StringBuilder evaluations = new StringBuilder();
        for (String id : ids) {
            evaluations
                    .append(evaluations.isEmpty() ? "" : ", ")
                    .append("{\\\"id\\\": \\\"")
                    .append(id)
                    .append("\\\", \\\"scores\\\": {\\\"specificity\\\": 4, \\\"novelty\\\": 4,"
                            + " \\\"connectionValidity\\\": 4, \\\"feasibility\\\": 4, \\\"grounding\\\": 4},"
                            + " \\\"verdict\\\": \\\"pass\\\", \\\"reasons\\\": []}");
        }
        try {
            Thread.sleep(millis * ids.size());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ends();
        answer(exchange, """
            {"id": "1", "model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
             "content": "{\\"evaluations\\": [%s]}"}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
            """.formatted(evaluations));
    }

    private synchronized void stats(HttpExchange exchange) throws IOException {
        answer(exchange, "calls %d\nmost %d\nfirst %d\nlast %d\n".formatted(calls, most, first, last));
    }

    private synchronized void reset(HttpExchange exchange) throws IOException {
        calls = most = first = last = 0;
        answer(exchange, "");
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
