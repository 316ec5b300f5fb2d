package dev.assay.cli.pages;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.standalone.process.DetachedCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A Chromium without a window, driven over its DevTools protocol: one tab. */
final class Browser implements AutoCloseable, WebSocket.Listener {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What the systems of those who build call it; ASSAY_CHROMIUM names another. */
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");

    private final Process process;
    private final Path profile;
    private final WebSocket socket;
    private final StringBuilder part = new StringBuilder();
    private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    private final Map<String, Consumer<JsonNode>> listeners = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private int last;
    private @Nullable String session;
    private String context = "";

    Browser() throws IOException {
        profile = Files.createTempDirectory("chromium");
        process = new ProcessBuilder(
                        program().orElseThrow().toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "--window-size=1440,900",
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("log").toFile())
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        await().atMost(PATIENCE)
                .until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
        List<String> lines = Files.readAllLines(port);
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1)), this)
                .join();
        freshTab();
        listen("Runtime.exceptionThrown", event -> problems.add(event.toString()));
        listen("Page.javascriptDialogOpening", event -> problems.add("A script opened a dialog: " + event));
        listen("Log.entryAdded", event -> {
            if (event.at("/entry/source").asText().equals("security")) {
                problems.add(event.at("/entry/text").asText());
            }
        });
        listen(
                "Network.requestWillBeSent",
                event -> requests.add(event.at("/request/url").asText()));
    }

    /** Closes all tabs, and goes on in one that shares nothing with them: no storage, no emulation, no answers in the server's place. */
    void freshTab() {
        session = null;
        if (!context.isEmpty()) {
            call("Target.disposeBrowserContext", Map.of("browserContextId", context));
        }
        context = call("Target.createBrowserContext", Map.of())
                .get("browserContextId")
                .asText();
        anotherTab();
        problems.clear();
        requests.clear();
    }

    /** Goes on in another tab of the same user. */
    void anotherTab() {
        session = null;
        String target = call("Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .get("targetId")
                .asText();
        session = call("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId")
                .asText();
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
    }

    /** The tab that is looked at. */
    String tab() {
        return Objects.requireNonNull(session);
    }

    /** Looks at a tab that is open. */
    void lookAt(String tab) {
        session = tab;
        call("Page.bringToFront", Map.of());
    }

    /** The program; empty: there is none on this machine. */
    static Optional<Path> program() {
        String named = System.getenv("ASSAY_CHROMIUM");
        return named != null
                ? Optional.of(Path.of(named))
                : NAMES.stream()
                        .map(DetachedCommand::onPath)
                        .flatMap(Optional::stream)
                        .findFirst();
    }

    /** Skips a test where no browser is installed and none was named; .ci/run names one. */
    static void assumeInstalled() {
        Assumptions.assumeTrue(
                program().isPresent(), "No Chromium was found; install one, or name it with ASSAY_CHROMIUM");
    }

    /** Is told of every event of this name. */
    void listen(String event, Consumer<JsonNode> listener) {
        listeners.put(event, listener);
    }

    /** Calls a method of the protocol, and waits for its result. */
    JsonNode call(String method, Map<String, ?> parameters) {
        return start(method, parameters).orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** Calls a method of the protocol; for listeners, which must not wait. */
    synchronized CompletableFuture<JsonNode> start(String method, Map<String, ?> parameters) {
        ObjectNode message = Json.mapper().createObjectNode();
        message.put("id", ++last)
                .put("method", method)
                .set("params", Json.mapper().valueToTree(parameters));
        if (session != null) {
            message.put("sessionId", session);
        }
        CompletableFuture<JsonNode> result = new CompletableFuture<>();
        calls.put(last, result);
        socket.sendText(message.toString(), true).join();
        return result;
    }

    /** Opens an address as a user does who types it. */
    void open(String address) {
        call("Page.navigate", Map.of("url", address));
        until("document.readyState === 'complete'");
    }

    /** The value of an expression, a promise's when it has come. */
    JsonNode value(String script) {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", script, "awaitPromise", true, "returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(script + ": " + result.get("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** The text that a user sees. */
    String text() {
        return value("document.body?.innerText ?? ''").asText();
    }

    /** Waits until an expression is true. */
    void until(String script) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(25))
                .conditionEvaluationListener(null)
                .failFast("the browser ended", () -> !process.isAlive())
                // Between two documents there is nothing to ask.
                .ignoreExceptions()
                .until(() -> value("!!(" + script + ")").asBoolean());
    }

    /** Waits until the page says something. */
    void untilSays(String text) {
        try {
            until("document.body?.innerText.includes(" + Json.write(text) + ")");
        } catch (RuntimeException e) {
            throw new AssertionError("The page never says \"" + text + "\" but: " + text(), e);
        }
    }

    /** Clicks what a selector finds. */
    void click(String selector) {
        until("document.querySelector(" + Json.write(selector) + ")");
        value("document.querySelector(" + Json.write(selector) + ").click()");
    }

    /** Presses keys as a keyboard does: each a letter, a space or a name such as Enter. */
    void press(String... keys) {
        for (String key : keys) {
            boolean isLetter = key.length() == 1;
            String text = isLetter ? key : key.equals("Enter") ? "\r" : "";
            Map<String, Object> event = Map.of(
                    "type",
                    "keyDown",
                    "key",
                    key,
                    "code",
                    isLetter ? "" : key,
                    "text",
                    text,
                    "windowsVirtualKeyCode",
                    switch (key) {
                        case "Enter" -> 13;
                        case "Tab" -> 9;
                        case "Escape" -> 27;
                        case "Backspace" -> 8;
                        default -> 0;
                    });
            call("Input.dispatchKeyEvent", event);
            call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
        }
    }

    /** Types a text into what has the focus. */
    void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    /** As on a screen of this size, until the tab is left. */
    void width(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    void theme(String scheme) {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** What axe-core holds against the page by WCAG 2.2 A and AA: the rule and the element of each. */
    String violations() throws IOException {
        try (var axe = Browser.class.getResourceAsStream("/axe.min.js")) {
            value(new String(axe.readAllBytes(), StandardCharsets.UTF_8) + ";0");
        }
        return value("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']}).then(r =>"
                        + " r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' +"
                        + " n.failureSummary).join('; ')).join('\\n"
                        + "'))")
                .asText();
    }

    /** Scripts that failed or were refused, and dialogs. */
    List<String> problems() {
        return problems;
    }

    /** Addresses that were asked for. */
    List<String> requests() {
        return requests;
    }

    void screenshot(Path file) throws IOException {
        String png = call("Page.captureScreenshot", Map.of("format", "png"))
                .get("data")
                .asText();
        Files.write(file, Base64.getDecoder().decode(png));
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
        part.append(data);
        if (isLast) {
            JsonNode message = Json.tree(part.toString());
            part.setLength(0);
            take(message);
        }
        from.request(1);
        return null;
    }

    private void take(JsonNode message) {
        CompletableFuture<JsonNode> call = calls.remove(message.path("id").asInt());
        if (call != null && message.has("error")) {
            call.completeExceptionally(
                    new IllegalStateException(message.get("error").toString()));
        } else if (call != null) {
            call.complete(message.get("result"));
        } else {
            listeners.getOrDefault(message.path("method").asText(), _ -> {}).accept(message.path("params"));
        }
    }

    @Override
    public void close() throws InterruptedException, IOException {
        process.destroy();
        process.waitFor();
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            // A process of the browser is still writing; the directory is a temporary one.
        }
    }
}
