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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
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
    private static final double TICKS_PER_SECOND = 100;

    private final Map<String, Long> firstToken = new ConcurrentHashMap<>();
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
            firstToken.putIfAbsent(name, System.nanoTime());
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

    /** What a reader of the events saw. */
    private record Seen(Map<String, List<Long>> updates, long characters) {}

    private Seen evaluate(String api, int branches) throws Exception {
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

    private static Seen read(HttpClient http, String events) throws Exception {
        Map<String, List<Long>> updates = new HashMap<>();
        long characters = 0;
        Pattern delta = Pattern.compile("\"delta\" *: *\"([^\"]*)\"");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                http.send(HttpRequest.newBuilder(URI.create(events)).build(), HttpResponse.BodyHandlers.ofInputStream())
                        .body()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ") && line.contains("\"MessageUpdate\"")) {
                    Matcher loop = LOOP.matcher(line);
                    Matcher text = delta.matcher(line);
                    if (loop.find() && text.find()) {
                        updates.computeIfAbsent(loop.group(1), _ -> new ArrayList<>())
                                .add(System.nanoTime());
                        characters += text.group(1).length();
                    }
                }
            }
        }
        return new Seen(updates, characters);
    }

    private void measure(String api, long pid, int branches) throws Exception {
        Map<String, Double> before = cpuSeconds(pid);
        long begin = System.nanoTime();
        Seen seen = evaluate(api, branches);
        double took = (System.nanoTime() - begin) / 1e9;
        Map<String, Double> cpu = cpuSeconds(pid);
        cpu.replaceAll((name, ticks) -> ticks - before.getOrDefault(name, 0.0));
        List<Double> latencies = new ArrayList<>();
        seen.updates().forEach((model, at) -> latencies.add((at.getFirst() - firstToken.get(model)) / 1e6));
        Collections.sort(latencies);
        long updates = seen.updates().values().stream().mapToInt(List::size).sum();
        System.out.printf(
                "%d branches, %d tokens/s each, %d s; the evaluation took %.1f s%n", branches, rate, seconds, took);
        System.out.printf("| CPU while they stream | cores |%n|---|---|%n");
        cpu.forEach((name, used) -> System.out.printf("| %s | %.2f |%n", name, used / took));
        System.out.printf(
                "| together | %.2f |%n",
                cpu.values().stream().mapToDouble(d -> d).sum() / took);
        System.out.printf(
                "%d updates, %.1f a second and loop; %d of %d characters%n",
                updates,
                updates / (double) branches / seconds,
                seen.characters(),
                (long) branches * rate * seconds * " word".length());
        System.out.printf(
                "first update after the first token: median %.0f ms, 95 %% %.0f ms, slowest %.0f ms%n",
                latencies.get(latencies.size() / 2),
                latencies.get((int) (latencies.size() * 0.95)),
                latencies.getLast());
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
