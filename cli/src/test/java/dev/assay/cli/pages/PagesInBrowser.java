package dev.assay.cli.pages;

import static org.awaitility.Awaitility.await;

import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubBatches;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server with campaigns whose every text is hostile, and Chromium to look at its pages. */
abstract class PagesInBrowser {

    /** It would open a dialog, or ask another server, if it were anything but a text. */
    static final String HOSTILE = "<img src=http://evil.test/a onerror=alert(1)><script>alert(2)</script><a"
            + " href=javascript:alert(3)>x</a>${7*7}";

    static final int CASES = 40;

    @TempDir
    private static Path directory;

    /** Asked in all tests of this JVM, and ends with it. */
    static final StubModel MODEL = new StubModel();

    /** The same, for batches. */
    static final StubBatches BATCHES = new StubBatches();

    private static final List<AutoCloseable> STARTED = new ArrayList<>();

    static AssayServer server;
    static Api api;
    static String first;
    static String second;

    static Browser browser;

    /** In the first campaign case-7 fails on the branch `unsure`; in the second all answer alike. */
    @BeforeAll
    static void start() throws Exception {
        Browser.assumeInstalled();
        MODEL.writeProviders(directory);
        Files.writeString(
                directory.resolve("providers.yaml"),
                "    limits: [{models: \"limited" + HOSTILE + "*\", requestsPerMinute: 5, tokensPerDay: 9}]\n"
                        + BATCHES.provider("{poll: 1s}"),
                StandardOpenOption.APPEND);
        MODEL.answerBy(PagesInBrowser::answer);
        browser = new Browser();
        STARTED.add(browser);
        server = InProcessServer.start(directory);
        STARTED.add(server);
        api = new Api(directory);
        STARTED.add(api);
        first = api.submit(campaign("first " + HOSTILE, "n"));
        second = api.submit(campaign("second", "m"));
        for (String id : List.of(first, second)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> api.get("/api/v1/campaigns/" + id)
                            .path("state")
                            .asText()
                            .equals("COMPLETED"));
        }
    }

    static String answer(String model, String prompt) {
        return switch (model) {
            case "j" -> "1 " + HOSTILE;
            case "n" -> prompt.startsWith("Question 7 ") ? "no " + HOSTILE : "yes";
            default -> "yes";
        };
    }

    static String campaign(String name, String model) {
        String cases = IntStream.range(0, CASES)
                .mapToObj(i ->
                        "{\"id\": \"case-%d\", \"prompt\": %s, \"tags\": [%s], \"context\": [{\"role\": \"user\", \"content\": %s}],"
                                        .formatted(
                                                i,
                                                quoted("Question " + i + " " + HOSTILE),
                                                quoted(HOSTILE),
                                                quoted(HOSTILE))
                                + "\"checks\": [{\"type\": \"equals\", \"value\": \"yes\"}]}")
                .collect(Collectors.joining(","));
        return """
            {"name": %s, "suite": {"name": %s, "cases": [%s]}, "trials": 2,
             "branches": [{"id": "sure", "provider": "stub", "model": "m", "systemPrompt": %s},
                          {"id": "unsure", "provider": "stub", "model": "%s"},
                          {"id": "tool", "kind": "scripted", "tools": [{"type": "calculator"}], "script": {"answers":
                            [[{"toolCalls": [{"name": "calculator", "arguments": {"expression": "1+1"}}]}, "yes"]]}}],
             "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "j"}}}
            """.formatted(quoted(name), quoted(name), cases, quoted(HOSTILE), model);
    }

    static String quoted(String text) {
        return Json.write(text);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable one : STARTED) {
            one.close();
        }
        STARTED.clear();
    }

    @BeforeEach
    void open() {
        MODEL.release();
        MODEL.replyBy(request -> null);
        MODEL.answerBy(PagesInBrowser::answer);
        browser.freshTab();
    }

    static String page(String address) {
        return server.api() + "/ui/" + address;
    }

    /** Each page, and what it says when its data is there. */
    static Map<String, String> pages() {
        String cell = "campaigns/" + first + "/cells/case-7/unsure/1";
        String both = "&b=" + second + ":unsure&b=" + second + ":sure";
        List<String> pages = List.of(
                "",
                "second",
                "campaigns/" + first,
                "Branches",
                "campaigns/" + first + "/results?filter=failing",
                "no " + HOSTILE,
                "campaigns/" + first + "/results?filter=failing&view=signs",
                "underlined: chosen",
                cell,
                "About it",
                cell + "?tab=branches",
                "beside unsure",
                cell + "?tab=try",
                "Asks 1 time",
                cell + "?tab=judge",
                "Answers were shown in this order",
                cell + "?tab=raw",
                "\"branchId\": \"unsure\"",
                "compare?a=" + first + ":unsure&b=" + second + ":unsure&flip=case-7",
                "Improved: 1",
                "compare?a=" + first + ":unsure" + both,
                "Beside the baseline",
                "compare?pick=" + second,
                "Verdict",
                "providers",
                "tokensPerDay");
        Map<String, String> says = new LinkedHashMap<>();
        for (int i = 0; i < pages.size(); i += 2) {
            says.put(pages.get(i), pages.get(i + 1));
        }
        return says;
    }

    /** Presses the button with this text, or what a selector finds. */
    void press(String button) {
        String script = button.contains(".")
                ? "document.querySelector(" + quoted(button) + ")"
                : "[...document.querySelectorAll('button')].find(b => b.textContent === " + quoted(button) + ")";
        browser.until(script);
        browser.value(script + ".click()");
    }
}
