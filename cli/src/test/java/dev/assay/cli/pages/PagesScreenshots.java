package dev.assay.cli.pages;

import static org.awaitility.Awaitility.await;

import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Takes the pictures of docs/pages.md; run by benchmarks/pages/screenshots, not with the tests. */
class PagesScreenshots {

    private static final List<String> COUNTRIES = List.of(
            "France", "Spain", "Kenya", "Japan", "Peru", "Norway", "Ghana", "Chile", "Nepal", "Cuba", "Malta", "Oman",
            "Poland", "Sweden", "Turkey", "Uganda", "Vietnam", "Zambia", "Austria", "Bolivia", "Canada", "Denmark");

    @TempDir
    private Path data;

    private final Map<String, Integer> asked = new ConcurrentHashMap<>();

    @Test
    void takes() throws Exception {
        Path images = Path.of(System.getProperty("assay.screenshots"));
        try (StubModel model = new StubModel()) {
            model.writeProviders(data);
            model.answerBy(this::answer);
            try (AssayServer server = InProcessServer.start(data);
                    Api api = new Api(data);
                    Browser browser = new Browser()) {
                take(server.api() + "/ui/", api, browser, model, images);
            }
        }
    }

    private static void take(String ui, Api api, Browser browser, StubModel model, Path images) throws Exception {
        String before = completed(api, campaign("capitals", "terra"));
        String after = completed(api, campaign("capitals, shorter prompt", "luna"));
        model.delay(Duration.ofMillis(300));
        String running = api.submit(campaign("capitals, nightly", "nova"));
        Map<String, String> pages = Map.of(
                "campaigns", "",
                "campaign", "campaigns/" + after,
                "results", "campaigns/" + after + "/results",
                "cell", "campaigns/" + after + "/cells/france-3/agent/1",
                "compare", "compare?a=" + before + ":small&b=" + after + ":small");
        browser.theme("light");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> api.get("/api/v1/campaigns/" + running)
                                .at("/progress/cellsDone")
                                .asInt()
                        > 100);
        for (Map.Entry<String, String> page : pages.entrySet()) {
            browser.open(ui + page.getValue());
            browser.until("document.querySelector('h1') && !document.querySelector('.skeleton')");
            if (page.getKey().equals("compare")) {
                browser.press("j", "Enter");
                browser.until("document.querySelector('.columns')");
                browser.value("document.querySelector('.columns').scrollIntoView({block: 'end'})");
            }
            browser.value("document.fonts.ready.then(() => new Promise(done => setTimeout(done, 1000)))");
            browser.screenshot(images.resolve("pages-" + page.getKey() + ".png"));
        }
        api.steer(running, "cancel");
        model.release();
    }

    private static String completed(Api api, String campaign) throws Exception {
        String id = api.submit(campaign);
        await().atMost(Duration.ofSeconds(120)).until(() -> api.state(id).equals("COMPLETED"));
        return id;
    }

    /** About one answer in seven is wrong, and always the same ones. */
    private String answer(String model, String prompt) {
        int times = asked.merge(model + prompt, 1, Integer::sum);
        int chance = Math.floorMod((model + prompt + times).hashCode() * 31, 100);
        boolean isHard = Math.floorMod(prompt.hashCode(), 11) == 0;
        return chance < (isHard ? 60 : 6) ? "I am not sure which city that is." : "The capital";
    }

    private static String campaign(String name, String model) {
        String cases = IntStream.range(0, COUNTRIES.size() * 4)
                .mapToObj(i -> {
                    String country = COUNTRIES.get(i % COUNTRIES.size());
                    int number = i / COUNTRIES.size() + 1;
                    return """
                        {"id": "%s-%d", "prompt": "What is the capital of %s? Write its name only, in spelling %d.", "tags": ["geo"],
                         "checks": [{"type": "icontains", "value": "capital"}]}
                        """.formatted(country.toLowerCase(Locale.ROOT), number, country, number);
                })
                .collect(Collectors.joining(","));
        return """
            {"name": %s, "suite": {"name": "capitals", "cases": [%s]}, "trials": 5, "gate": {"passThreshold": 0.8, "suiteThreshold": 0.9},
             "branches": [{"id": "small", "provider": "stub", "model": "%s-small"}, {"id": "large", "provider": "stub", "model": "%s-large"},
                          {"id": "agent", "kind": "scripted", "tools": [{"type": "calculator"}], "script": {"answers":
                            [[{"toolCalls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}, "The capital, after 42 steps."]],
                            "usage": {"input": 42, "output": 31}}}],
             "strategy": {"type": "token-efficient"}, "limits": {"maxConcurrent": 8, "budgetUsd": 2000}}
            """.formatted(Json.write(name), cases, model, model);
    }
}
