import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An OpenAI-compatible endpoint that streams every answer at the same speed, and the client that evaluates with it: one evaluation of many
 * branches, whose events it reads while they come.
 *
 * <p>{@code java StreamingLoad.java PORT API PID BRANCHES RATE SECONDS}: the port to serve on, the URL of Assay's API, the id of its process,
 * branches, tokens a second of each, and how long an answer goes on. One branch goes first, so that nothing is measured that happens once.
 * Needs Java 25. CPU time is that of the process and of its children, and theirs, from Linux' {@code /proc}.
 */
public final class StreamingLoad {

    private static final Pattern MODEL = Pattern.compile("\"model\" *: *\"(m-[0-9]+)\"");
    private static final Pattern LOOP = Pattern.compile("\"loopId\" *: *\"[^\"]*\\.(m-[0-9]+)\\.[0-9]+\"");
    private static final Pattern OFFSET = Pattern.compile("\"offset\" *: *([0-9]+)");
    private static final Pattern DELTA = Pattern.compile("\"delta\" *: *\"([^\"]*)\"");
    private static final Pattern AT = Pattern.compile("\"timestamp\" *: *\"([^\"]*)\"");
    private static final double TICKS_PER_SECOND = 100;

    private final Map<String, Instant> firstToken = new ConcurrentHashMap<>();
    private final int rate;
    private final int seconds;

    private StreamingLoad(int rate, int seconds) {
        this.rate = rate;
        this.seconds = seconds;
    }

    /**
     * Measures.
     *
     * @param args port to serve on, URL of Assay's API, its process id, branches, tokens a second, seconds
     */
    public static void main(String[] args) throws Exception {
        StreamingLoad load = new StreamingLoad(Integer.parseInt(args[4]), Integer.parseInt(args[5]));
        ServerSocket server = new ServerSocket(Integer.parseInt(args[0]), 1_000, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> load.serve(server));
        load.evaluate(args[1], 1);
        load.firstToken.clear();
        load.measure(args[1], Long.parseLong(args[2]), Integer.parseInt(args[3]));
    }

    private void serve(ServerSocket server) {
        while (true) {
            try {
                Socket connection = server.accept();
                connection.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> answerAll(connection));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void answerAll(Socket connection) {
        try (connection) {
            InputStream in = connection.getInputStream();
            OutputStream out = connection.getOutputStream();
            while (true) {
                int length = 0;
                for (String line = line(in); !line.isEmpty(); line = line(in)) {
                    if (line.toLowerCase().startsWith("content-length:")) {
                        length = Integer.parseInt(line.substring(15).strip());
                    }
                }
                stream(new String(in.readNBytes(length), StandardCharsets.UTF_8), out);
            }
        } catch (IOException | InterruptedException e) {
            // The client has closed the connection.
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new IOException("closed");
            }
            if (octet != '\r') {
                line.append((char) octet);
            }
        }
        return line.toString();
    }

    private void stream(String request, OutputStream out) throws IOException, InterruptedException {
        Matcher model = MODEL.matcher(request);
        String name = model.find() ? model.group(1) : "?";
        out.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes());
        long begin = System.nanoTime();
        for (int token = 0; token < rate * seconds; token++) {
            long due = begin + token * 1_000_000_000L / rate;
            Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
            firstToken.putIfAbsent(name, Instant.now());
            chunk(
                    out,
                    "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"" + name
                            + "\",\"system_fingerprint\":\"fp_1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\""
                            + " word\"},\"logprobs\":null,\"finish_reason\":null}]}");
        }
        chunk(out, "{\"id\":\"chatcmpl-1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}");
        chunk(
                out,
                "{\"id\":\"chatcmpl-1\",\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":"
                        + rate * seconds + ",\"total_tokens\":" + (rate * seconds + 5) + "}}");
        chunk(out, "[DONE]");
        out.write("0\r\n\r\n".getBytes());
    }

    private static void chunk(OutputStream out, String data) throws IOException {
        byte[] event = ("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
        out.write((Integer.toHexString(event.length) + "\r\n" + new String(event, StandardCharsets.UTF_8) + "\r\n")
                .getBytes(StandardCharsets.UTF_8));
    }

    /** What a reader of the events saw of one loop. */
    private static final class Loop {

        private long updates;
        private long characters;
        /** Updates that do not go on where the one before ended: something is missing, or told again. */
        private long outOfPlace;
        /** When the first update was made, by Assay's clock, and when it was read. */
        private Instant made = Instant.MIN;

        private Instant read = Instant.MIN;

        void update(String event) {
            if (updates++ == 0) {
                made = Instant.parse(only(AT, event));
                read = Instant.now();
            }
            outOfPlace += Long.parseLong(only(OFFSET, event)) == characters ? 0 : 1;
            characters += only(DELTA, event).length();
        }
    }

    private static String only(Pattern field, String event) {
        Matcher found = field.matcher(event);
        if (!found.find()) {
            throw new IllegalStateException("No " + field + " in " + event);
        }
        return found.group(1);
    }

    private Map<String, Loop> evaluate(String api, int branches) throws Exception {
        StringBuilder document = new StringBuilder("{\"prompts\":[\"Go on.\"],\"limits\":{\"maxConcurrent\":")
                .append(branches)
                .append("},\"strategy\":{\"type\":\"pick-first\"},\"branches\":[");
        for (int i = 0; i < branches; i++) {
            document.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"m-")
                    .append(i)
                    .append("\",\"provider\":\"openai\",\"model\":\"m-")
                    .append(i)
                    .append("\"}");
        }
        HttpClient http = HttpClient.newHttpClient();
        String submitted = http.send(
                        HttpRequest.newBuilder(URI.create(api + "/api/v1/evaluations"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        document.append("]}").toString()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        Matcher id = Pattern.compile("\"id\" *: *\"([^\"]+)\"").matcher(submitted);
        if (!id.find()) {
            throw new IllegalStateException("Not accepted: " + submitted);
        }
        return read(http, api + "/api/v1/evaluations/" + id.group(1) + "/events");
    }

    private static Map<String, Loop> read(HttpClient http, String events) throws Exception {
        Map<String, Loop> loops = new HashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                http.send(HttpRequest.newBuilder(URI.create(events)).build(), HttpResponse.BodyHandlers.ofInputStream())
                        .body()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ") && line.contains("\"MessageUpdate\"")) {
                    loops.computeIfAbsent(only(LOOP, line), _ -> new Loop()).update(line);
                }
            }
        }
        return loops;
    }

    private void measure(String api, long pid, int branches) throws Exception {
        Map<String, Double> before = cpuSeconds(pid);
        long begin = System.nanoTime();
        Map<String, Loop> loops = evaluate(api, branches);
        double took = (System.nanoTime() - begin) / 1e9;
        Map<String, Double> cpu = cpuSeconds(pid);
        cpu.replaceAll((name, ticks) -> ticks - before.getOrDefault(name, 0.0));
        long updates = loops.values().stream().mapToLong(loop -> loop.updates).sum();
        long characters =
                loops.values().stream().mapToLong(loop -> loop.characters).sum();
        long outOfPlace =
                loops.values().stream().mapToLong(loop -> loop.outOfPlace).sum();
        long sent = (long) branches * rate * seconds * " word".length();
        System.out.printf(
                "%d branches, %d tokens/s each, %d s; the evaluation took %.1f s%n", branches, rate, seconds, took);
        System.out.printf("| CPU while they stream | cores |%n|---|---|%n");
        cpu.forEach((name, used) -> System.out.printf("| %s | %.2f |%n", name, used / took));
        System.out.printf(
                "| together | %.2f |%n",
                cpu.values().stream().mapToDouble(d -> d).sum() / took);
        System.out.printf(
                "%d updates, %.1f a second and loop; %d of %d characters, %d updates out of place%n",
                updates, updates / (double) branches / seconds, characters, sent, outOfPlace);
        delays("made", loops, loop -> loop.made);
        delays("read", loops, loop -> loop.read);
        if (characters != sent || outOfPlace > 0) {
            System.err.println("FAILED: what was told is not what was sent");
            System.exit(1);
        }
    }

    private void delays(String what, Map<String, Loop> loops, Function<Loop, Instant> when) {
        long[] millis = loops.entrySet().stream()
                .mapToLong(loop -> Duration.between(firstToken.get(loop.getKey()), when.apply(loop.getValue()))
                        .toMillis())
                .sorted()
                .toArray();
        System.out.printf(
                "first update %s after the first token: median %d ms, 95 %% %d ms, slowest %d ms%n",
                what, millis[millis.length / 2], millis[(int) (millis.length * 0.95)], millis[millis.length - 1]);
    }

    /** By the kind of process, in seconds. Of a process that has ended its parent knows. */
    private static Map<String, Double> cpuSeconds(long root) throws IOException {
        Map<String, Double> seconds = new HashMap<>();
        Queue<Long> left = new ArrayDeque<>(List.of(root));
        while (!left.isEmpty()) {
            long pid = left.remove();
            try {
                String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                double ticks = 0;
                for (int field = 11; field <= 14; field++) {
                    ticks += Double.parseDouble(fields[field]);
                }
                seconds.merge(name.contains("postgres") ? "PostgreSQL" : "JVM", ticks / TICKS_PER_SECOND, Double::sum);
                ProcessHandle.of(pid).ifPresent(process -> process.children().forEach(child -> left.add(child.pid())));
            } catch (java.nio.file.NoSuchFileException e) {
                // It has ended meanwhile.
            }
        }
        return seconds;
    }
}
