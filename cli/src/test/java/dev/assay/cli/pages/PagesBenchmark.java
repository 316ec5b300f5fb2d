package dev.assay.cli.pages;

import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.standalone.server.AssayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How fast the results of a large campaign are shown; run by benchmarks/pages, not with the tests. */
class PagesBenchmark {

    private static final int CASES = Integer.getInteger("assay.benchmark.cases", 100_000);
    private static final String LAUNCHER = System.getProperty("assay.benchmark.launcher", "./assay");
    private static final int TRIALS = 5;
    private static final int JUMPS = 100;
    private static final int VIEWS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path data;

    @Test
    @Timeout(1800)
    void measures() throws Exception {
        try (AssayServer server = InProcessServer.start(data);
                Api api = new Api(data)) {
            LargeCampaign.make(api, CASES, TRIALS);
            // Chunks are made while a campaign runs; here by the first who looks.
            api.send("/api/v1/campaigns/large/matrix", Duration.ofMinutes(10));
        }
        Process server = new ProcessBuilder(
                        LAUNCHER, "up", "--engine", "in-process", "--data", data + "", "--port", "0")
                .inheritIO()
                .start();
        try (Api api = new Api(data);
                Browser browser = new Browser()) {
            browser.open("about:blank");
            String address = api.await().api() + "/ui/campaigns/large/results";
            look(browser, address);
            look(browser, address + "?view=signs");
            lookAgain(api, browser, address, server.toHandle());
            for (int round = 0; round < 3; round++) {
                for (int limit : new int[] {200, 64}) {
                    readCases(api, limit, server.toHandle());
                }
            }
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    /** Views without a cache, by turns with the modules that the shell names and without. */
    private void lookAgain(Api api, Browser browser, String address, ProcessHandle server) throws Exception {
        String shell = api.send("/ui/campaigns/large/results", PATIENCE).body();
        String unnamed = Base64.getEncoder()
                .encodeToString(shell.replaceAll("<link rel=\"modulepreload\"[^>]*>", "")
                        .getBytes(StandardCharsets.UTF_8));
        browser.call("Network.setCacheDisabled", Map.of("cacheDisabled", true));
        browser.listen(
                "Fetch.requestPaused",
                event -> browser.start(
                        "Fetch.fulfillRequest",
                        Map.of(
                                "requestId",
                                event.get("requestId").asText(),
                                "responseCode",
                                200,
                                "responseHeaders",
                                List.of(Map.of("name", "Content-Type", "value", "text/html")),
                                "body",
                                unnamed)));
        for (int round = 0; round < 2 * VIEWS; round++) {
            boolean named = round % 2 == 0;
            browser.call("Fetch.disable", Map.of());
            if (!named) {
                browser.call("Fetch.enable", Map.of("patterns", List.of(Map.of("urlPattern", address))));
            }
            double before = cpuMillis(server);
            browser.open(address);
            browser.until("document.querySelectorAll('.space .line').length > 2");
            String what = named ? "with named modules, " : "without, ";
            print(what + "ms", shownAfter(browser));
            print(what + "CPU of server and PostgreSQL, ms", cpuMillis(server) - before);
            System.out.println(CASES + " cases: " + what + browser.value("""
                JSON.stringify([...performance.getEntriesByType('resource')].map(r =>
                  [r.name.replace(location.origin, ''), Math.round(r.startTime), Math.round(r.responseEnd), r.decodedBodySize]))\
                """).asText());
        }
        browser.call("Fetch.disable", Map.of());
    }

    private static double shownAfter(Browser browser) {
        return browser.value("performance.getEntriesByName('results-shown')[0].startTime")
                .asDouble();
    }

    /** What reading cases takes, by how many are read at once. */
    private void readCases(Api api, int limit, ProcessHandle server) throws Exception {
        Random places = new Random(limit);
        double before = cpuMillis(server);
        long start = System.nanoTime();
        for (int i = 0; i < JUMPS; i++) {
            int from = places.nextInt(CASES - limit);
            api.send("/api/v1/campaigns/large/cases?from=" + from + "&limit=" + limit, PATIENCE);
        }
        print(limit + " cases, ms", (System.nanoTime() - start) / 1e6 / JUMPS);
        print(limit + " cases, CPU of server and PostgreSQL, ms", (cpuMillis(server) - before) / JUMPS);
    }

    /** CPU of the server and its PostgreSQL. */
    private double cpuMillis(ProcessHandle server) throws IOException {
        return 1e3 * CpuTime.seconds(server, data);
    }

    private static void look(Browser browser, String address) {
        browser.open(address);
        browser.until("document.querySelectorAll('.space .line').length > 2");
        print("first view, ms", shownAfter(browser));
        for (String filter : new String[] {"failing", "flaky", "disagreeing", "errored"}) {
            browser.value("performance.clearMeasures()");
            browser.value(
                    "[...document.querySelectorAll('button')].find(b => b.textContent === '" + filter + "').click()");
            browser.until("performance.getEntriesByName('results-filter').length");
            print(
                    "filter " + filter + ", ms",
                    browser.value("performance.getEntriesByName('results-filter').at(-1).duration")
                            .asDouble());
        }
        browser.open(address);
        browser.until("document.querySelectorAll('.space .line').length > 2");
        double[] jumps = StreamSupport.stream(
                        browser.value("""
                            (async () => {
                              const view = document.querySelector('.view'), times = [];
                              for (let i = 0; i < %d; i++) {
                                const start = performance.now(), top = Math.random() * (view.scrollHeight - view.clientHeight);
                                view.scrollTop = top;
                                const isDrawn = () => [...document.querySelectorAll('.space .line')].some(line => {
                                  const box = line.getBoundingClientRect(), frame = view.getBoundingClientRect();
                                  return box.top < frame.top + 84 && box.bottom > frame.top + 44 && !line.textContent.includes('…');
                                });
                                while (!isDrawn()) await new Promise(requestAnimationFrame);
                                times.push(performance.now() - start);
                              }
                              return times;
                            })()\
                            """.formatted(JUMPS)).spliterator(), false)
                .mapToDouble(time -> time.asDouble())
                .sorted()
                .toArray();
        print("jump p50, ms", jumps[JUMPS / 2]);
        print("jump p95, ms", jumps[JUMPS * 95 / 100]);
        print("frames a second while it scrolls", browser.value("""
            (async () => {
              const view = document.querySelector('.view'), start = performance.now();
              let frames = 0;
              for (; performance.now() - start < 3000; frames++) {
                view.scrollTop += 60;
                await new Promise(requestAnimationFrame);
              }
              return frames / (performance.now() - start) * 1000;
            })()\
            """).asDouble());
        browser.call("HeapProfiler.collectGarbage", Map.of());
        print(
                "heap of the page, MB",
                browser.call("Runtime.getHeapUsage", Map.of()).get("usedSize").asDouble() / 1e6);
        print("elements", browser.value("document.querySelectorAll('*').length").asDouble());
    }

    private static void print(String what, double value) {
        System.out.printf("%d cases: %s: %.1f%n", CASES, what, value);
    }
}
