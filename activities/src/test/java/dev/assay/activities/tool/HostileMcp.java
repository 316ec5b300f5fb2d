package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** An MCP server over a pipe that is right until it is told to misbehave: its argument says how. */
public final class HostileMcp {

    private static final int STDERR_BYTES = 100 * 1024 * 1024;

    private HostileMcp() {}

    public static void main(String[] arguments) throws Exception {
        String mode = arguments[0];
        if (mode.equals("stderr")) {
            byte[] noise = new byte[1024 * 1024];
            for (int written = 0; written < STDERR_BYTES; written += noise.length) {
                System.err.write(noise);
            }
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            JsonNode asked = Json.tree(line);
            if (mode.equals("junk")) {
                System.out.println("Listening on standard input ...\n\n{\"level\":\"info\"}\n[1]");
            }
            switch (asked.path("method").asText()) {
                case "tools/list" -> list(mode, asked).ifPresent(System.out::println);
                case "tools/call" -> call(mode, line, input);
                default -> MiniMcp.answer(line).ifPresent(System.out::println);
            }
        }
    }

    private static Optional<String> list(String mode, JsonNode asked) throws InterruptedException {
        switch (mode) {
            case "pages" -> {
                return Optional.of(listing(asked, 0, "next"));
            }
            case "deaf" -> {
                System.out.println(listing(asked, 1, "x".repeat(900_000)));
                stayWhateverComes();
                return Optional.empty();
            }
            case "1000", "1001" -> {
                return Optional.of(listing(asked, Integer.parseInt(mode), ""));
            }
            default -> {
                return MiniMcp.answer(asked.toString());
            }
        }
    }

    /** A page of a list of so many tools. */
    static String listing(JsonNode asked, int tools, String nextCursor) {
        ObjectNode answer = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", asked.get("id"));
        ObjectNode result = answer.putObject("result");
        var list = result.putArray("tools");
        for (int i = 0; i < tools; i++) {
            list.addObject().put("name", "tool-" + i).set("inputSchema", Json.tree("""
                {"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}\
                """));
        }
        if (!nextCursor.isEmpty()) {
            result.put("nextCursor", nextCursor);
        }
        return answer.toString();
    }

    private static void call(String mode, String line, BufferedReader input) throws IOException, InterruptedException {
        String right = MiniMcp.answer(line).orElseThrow();
        switch (mode) {
            case "wrong-id" -> System.out.println(((ObjectNode) Json.tree(right)).put("id", 4711));
            case "twice" -> {
                System.out.println(right);
                System.out.println(right);
            }
            case "dies" -> Runtime.getRuntime().halt(3);
            case "half" -> {
                System.out.print(right.substring(0, right.length() / 2));
                System.out.flush();
            }
            case "endless" -> {
                String notification = notification("x".repeat(10_000));
                while (!System.out.checkError()) {
                    System.out.println(notification);
                }
            }
            case "asks" -> {
                for (int i = 0; i < 200_000; i++) {
                    System.out.println(ping(i));
                }
                stayWhateverComes();
            }
            case "asks-slowly" -> {
                for (int i = 0; i < 40; i++) {
                    System.out.println(ping(i));
                    input.readLine();
                }
                System.out.println(right);
            }
            default -> System.out.println(right);
        }
    }

    /** A question of the server. */
    static String ping(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}";
    }

    /** A message that nobody waits for. */
    static String notification(String text) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"none\","
                + "\"progress\":1,\"message\":\"" + text + "\"}}";
    }

    /** Reads nothing any more, and does not heed SIGTERM. */
    private static void stayWhateverComes() throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        new CountDownLatch(1).await();
    }
}
