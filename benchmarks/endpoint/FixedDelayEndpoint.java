import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An OpenAI-compatible endpoint that answers every chat completion after the same delay and counts what it saw.
 *
 * <p>{@code java FixedDelayEndpoint.java [--port N] [--delay-ms N]}; runs on any Java from 17. It listens on the loopback
 * address and prints its base URL as the first line. Everything runs on one thread, so that the endpoint takes little from
 * the processors that it shares with the program under test, and so that the number of calls in flight is exact.
 *
 * <ul>
 *   <li>{@code POST /v1/chat/completions}: "1" for a model whose name contains {@code judge}, else a sentence
 *   <li>{@code GET /stats?limit=N&skipMs=N&lastCalls=N}: what was seen since the last reset, one {@code name value} a line
 *   <li>{@code POST /reset}: forgets what was seen
 * </ul>
 */
public final class FixedDelayEndpoint {

    private static final int LARGEST_REQUEST = 16 << 20;

    private final Selector selector = Selector.open();
    private final long delayNanos;
    private final Statistics statistics = new Statistics();

    /** In order of {@code due}, because the delay is the same for all. */
    private final Queue<PendingAnswer> pending = new ArrayDeque<>();

    private FixedDelayEndpoint(long delayMillis) throws IOException {
        this.delayNanos = TimeUnit.MILLISECONDS.toNanos(delayMillis);
    }

    /** An answer that is not sent yet. */
    private record PendingAnswer(long due, Connection connection, String model) {}

    /** A request whose body has arrived whole. */
    private record Request(String method, String path, String query, String body) {}

    /**
     * Serves until it is killed.
     *
     * @param args {@code --port N} (0, the default: any free one) and {@code --delay-ms N} (100 by default)
     */
    public static void main(String[] args) throws IOException {
        int port = 0;
        long delayMillis = 100;
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new IllegalArgumentException("Option " + args[i] + " needs a value");
            }
            switch (args[i]) {
                case "--port" -> port = Integer.parseInt(args[i + 1]);
                case "--delay-ms" -> delayMillis = Long.parseLong(args[i + 1]);
                default -> throw new IllegalArgumentException("Unknown option " + args[i]);
            }
        }
        new FixedDelayEndpoint(delayMillis).serve(port);
    }

    private void serve(int port) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 4096);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        System.out.println("http://127.0.0.1:" + server.socket().getLocalPort() + "/v1");
        System.out.flush();
        while (true) {
            waitForWork();
            long now = System.nanoTime();
            statistics.sampleUntil(now);
            answerDue(now);
            for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); keys.remove()) {
                handle(keys.next(), server);
            }
        }
    }

    private void waitForWork() throws IOException {
        PendingAnswer next = pending.peek();
        if (next == null) {
            selector.select();
            return;
        }
        // Up to 1 ms late, so that answers that are due together are sent together.
        long millis = (next.due - System.nanoTime() + 999_999) / 1_000_000;
        if (millis > 0) {
            selector.select(millis);
        } else {
            selector.selectNow();
        }
    }

    private void answerDue(long now) {
        for (PendingAnswer next = pending.peek(); next != null && next.due <= now; next = pending.peek()) {
            pending.remove();
            if (next.connection.isOpen()) {
                // Counted before it is sent: the caller's next request must not meet its own last one.
                statistics.ended(now);
                next.connection.busy = false;
                next.connection.send(200, "application/json", completion(next.model));
                readOn(next.connection);
            }
        }
    }

    private void handle(SelectionKey key, ServerSocketChannel server) throws IOException {
        if (!key.isValid()) {
            return;
        }
        if (key.isAcceptable()) {
            for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey accepted = channel.register(selector, SelectionKey.OP_READ);
                accepted.attach(new Connection(channel, accepted));
                statistics.connections++;
            }
            return;
        }
        Connection connection = (Connection) key.attachment();
        if (key.isWritable()) {
            connection.flush();
        }
        if (key.isValid() && key.isReadable()) {
            connection.fill();
            readOn(connection);
        }
        if (!connection.isOpen() && connection.busy) {
            connection.busy = false;
            statistics.abandoned(System.nanoTime());
        }
    }

    /** Takes the next request off a connection, unless it still waits for an answer. */
    private void readOn(Connection connection) {
        if (!connection.busy && connection.isOpen()) {
            Request request = connection.next();
            if (request != null) {
                answer(connection, request);
            }
        }
    }

    private void answer(Connection connection, Request request) {
        switch (request.method + " " + request.path) {
            case "POST /v1/chat/completions" -> {
                long now = System.nanoTime();
                String model = field(request.body, "model");
                connection.busy = true;
                statistics.began(now, model, request.body);
                pending.add(new PendingAnswer(now + delayNanos, connection, model));
            }
            case "GET /stats" -> connection.send(200, "text/plain", statistics.describe(request.query));
            case "POST /reset" -> {
                statistics.reset();
                connection.send(200, "text/plain", "");
            }
            default -> connection.send(404, "text/plain", "No such path: " + request.path + "\n");
        }
    }

    private static String completion(String model) {
        String content = model.contains("judge") ? "1" : "The answer is ready.";
        return "{\"id\":\"chatcmpl-0\",\"object\":\"chat.completion\",\"created\":0,\"model\":\"" + model
                + "\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"" + content
                + "\"},\"finish_reason\":\"stop\"}],"
                + "\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":5,\"total_tokens\":25}}";
    }

    /** A string field of a JSON text, found without reading the whole text; empty when there is none. */
    private static String field(String json, String name) {
        int at = json.indexOf("\"" + name + "\"");
        int start = at < 0 ? -1 : json.indexOf('"', at + name.length() + 2);
        return start < 0 ? "" : json.substring(start + 1, Math.max(start + 1, json.indexOf('"', start + 1)));
    }

    /** One client's connection: HTTP/1.1, kept alive, one request at a time. */
    private static final class Connection {

        private final SocketChannel channel;
        private final SelectionKey key;
        private ByteBuffer in = ByteBuffer.allocate(8192);
        private ByteBuffer out = ByteBuffer.allocate(0);

        /** Whether a completion is pending. */
        private boolean busy;

        Connection(SocketChannel channel, SelectionKey key) {
            this.channel = channel;
            this.key = key;
        }

        boolean isOpen() {
            return channel.isOpen();
        }

        /** Reads what has arrived. */
        void fill() {
            try {
                int read;
                do {
                    if (!in.hasRemaining()) {
                        in = ByteBuffer.allocate(in.capacity() * 2).put(in.flip());
                    }
                    read = channel.read(in);
                } while (read > 0 && !in.hasRemaining());
                if (read < 0 || in.position() > LARGEST_REQUEST) {
                    close();
                }
            } catch (IOException e) {
                close();
            }
        }

        /** Takes the first whole request out of what has arrived; null when none is whole yet. */
        Request next() {
            int received = in.position();
            int bodyStart = endOfHead(received);
            if (bodyStart < 0) {
                return null;
            }
            String head = new String(in.array(), 0, bodyStart, StandardCharsets.ISO_8859_1);
            String[] words = head.substring(0, head.indexOf("\r\n")).split(" ", 3);
            int length = contentLength(head);
            if (words.length < 3 || length < 0 || head.toLowerCase(Locale.ROOT).contains("\r\ntransfer-encoding:")) {
                send(400, "text/plain", "This endpoint reads HTTP/1.1 requests with a Content-Length only\n");
                close();
                return null;
            }
            if (received < bodyStart + length) {
                return null;
            }
            String body = new String(in.array(), bodyStart, length, StandardCharsets.UTF_8);
            in.flip().position(bodyStart + length);
            in.compact();
            String[] target = words[1].split("\\?", 2);
            return new Request(words[0], target[0], target.length == 2 ? target[1] : "", body);
        }

        private int endOfHead(int received) {
            byte[] bytes = in.array();
            for (int i = 3; i < received; i++) {
                if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                    return i + 1;
                }
            }
            return -1;
        }

        /** 0 when the head names none, negative when it cannot be read. */
        private static int contentLength(String head) {
            String name = "\r\ncontent-length:";
            for (int at = head.indexOf("\r\n"); at >= 0; at = head.indexOf("\r\n", at + 2)) {
                if (head.regionMatches(true, at, name, 0, name.length())) {
                    String value = head.substring(at + name.length(), head.indexOf("\r\n", at + 2))
                            .trim();
                    return value.matches("\\d{1,9}") ? Integer.parseInt(value) : -1;
                }
            }
            return 0;
        }

        void send(int status, String type, String body) {
            byte[] content = body.getBytes(StandardCharsets.UTF_8);
            byte[] head = ("HTTP/1.1 " + status + " -\r\nContent-Type: " + type + "\r\nContent-Length: "
                            + content.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
            out = ByteBuffer.allocate(head.length + content.length)
                    .put(head)
                    .put(content)
                    .flip();
            flush();
        }

        /** Sends what the socket takes; the rest when it takes more. */
        void flush() {
            try {
                channel.write(out);
                key.interestOps(
                        out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            } catch (IOException e) {
                close();
            }
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                System.err.println("A connection could not be closed: " + e);
            }
        }
    }

    /** What was seen since the last reset. */
    private static final class Statistics {

        private static final long SAMPLE_NANOS = 10_000_000;

        /** What the benchmark writes into each prompt. */
        private static final Pattern MARKER = Pattern.compile("\\[q\\d+]");

        private final Map<String, Integer> questions = new HashMap<>();
        private int connections;
        private int calls;
        private int abandoned;
        private int inFlight;
        private int maxInFlight;
        private long firstCall;
        private long lastAnswer;
        private long cpuAtReset = cpuNanos();

        /** Calls in flight, and calls begun, at each 10 ms since the first call. */
        private int[] inFlightSamples = new int[1024];

        private int[] callSamples = new int[1024];
        private int samples;

        void began(long now, String model, String body) {
            if (calls++ == 0) {
                firstCall = now;
            }
            maxInFlight = Math.max(maxInFlight, ++inFlight);
            Matcher marker = MARKER.matcher(body);
            questions.merge(model + (marker.find() ? marker.group() : body), 1, Integer::sum);
        }

        void ended(long now) {
            inFlight--;
            lastAnswer = now;
        }

        void abandoned(long now) {
            abandoned++;
            ended(now);
        }

        /** Records the number of calls in flight, which has not changed since the thread last worked. */
        void sampleUntil(long now) {
            while (calls > 0 && firstCall + samples * SAMPLE_NANOS <= now) {
                if (samples == callSamples.length) {
                    inFlightSamples = Arrays.copyOf(inFlightSamples, samples * 2);
                    callSamples = Arrays.copyOf(callSamples, samples * 2);
                }
                inFlightSamples[samples] = inFlight;
                callSamples[samples++] = calls;
            }
        }

        void reset() {
            questions.clear();
            calls = inFlight;
            abandoned = 0;
            maxInFlight = inFlight;
            firstCall = System.nanoTime();
            samples = 0;
            cpuAtReset = cpuNanos();
        }

        /** Past the first {@code skipMs} and before the last {@code lastCalls} began: how busy the limit was kept. */
        String describe(String query) {
            int limit = parameter(query, "limit", 100);
            int from = parameter(query, "skipMs", 1000) / 10;
            int lastCall = calls - parameter(query, "lastCalls", 100);
            int[] tenths = new int[11];
            int counted = 0;
            for (int i = from; i < samples && callSamples[i] <= lastCall; i++) {
                tenths[Math.min(10, inFlightSamples[i] * 10 / limit)]++;
                counted++;
            }
            return "calls " + calls
                    + "\ndistinct " + questions.size()
                    + "\nasked_twice "
                    + questions.values().stream().filter(n -> n > 1).count()
                    + "\nabandoned " + abandoned
                    + "\nconnections " + connections
                    + "\nin_flight " + inFlight
                    + "\nmax_in_flight " + maxInFlight
                    + "\nspan_ms " + (lastAnswer - firstCall) / 1_000_000
                    + "\ncpu_ms " + (cpuNanos() - cpuAtReset) / 1_000_000
                    + "\nsamples " + counted
                    + "\nsamples_from_90_percent " + (tenths[9] + tenths[10])
                    + "\nsamples_by_tenth "
                    + Arrays.toString(tenths).replaceAll("[\\[\\],]", "")
                    + "\n";
        }

        private static int parameter(String query, String name, int otherwise) {
            Matcher matcher = Pattern.compile("(?:^|&)" + name + "=(\\d+)").matcher(query);
            return matcher.find() ? Integer.parseInt(matcher.group(1)) : otherwise;
        }

        private static long cpuNanos() {
            return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getProcessCpuTime();
        }
    }
}
