package dev.assay.cli.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages in Chromium, over a server with campaigns whose every text is hostile. */
@Tag("slow")
@Timeout(120)
class PagesInBrowserTest {

    /** It would open a dialog, or ask another server, if it were anything but a text. */
    private static final String HOSTILE = "<img src=http://evil.test/a onerror=alert(1)><script>alert(2)</script><a"
            + " href=javascript:alert(3)>x</a>${7*7}";

    private static final int CASES = 40;

    @TempDir
    private static Path directory;

    private static final StubModel MODEL = new StubModel();
    private static final List<AutoCloseable> STARTED = new ArrayList<>();

    private static AssayServer server;
    private static Api api;
    private static String first;
    private static String second;

    private static Browser browser;

    /** In the first campaign case-7 fails on the branch `unsure`; in the second all answer alike. */
    @BeforeAll
    static void start() throws Exception {
        Browser.assumeInstalled();
        MODEL.writeProviders(directory);
        Files.writeString(
                directory.resolve("providers.yaml"),
                "    limits: [{models: \"limited" + HOSTILE + "*\", requestsPerMinute: 5, tokensPerDay: 9}]\n",
                StandardOpenOption.APPEND);
        MODEL.answerBy(PagesInBrowserTest::answer);
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

    private static String answer(String model, String prompt) {
        return switch (model) {
            case "j" -> "1 " + HOSTILE;
            case "n" -> prompt.startsWith("Question 7 ") ? "no " + HOSTILE : "yes";
            default -> "yes";
        };
    }

    private static String campaign(String name, String model) {
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

    private static String quoted(String text) {
        return Json.write(text);
    }

    @AfterAll
    static void stop() throws Exception {
        MODEL.close();
        for (AutoCloseable one : STARTED) {
            one.close();
        }
    }

    @BeforeEach
    void open() {
        MODEL.release();
        MODEL.replyBy(request -> null);
        MODEL.answerBy(PagesInBrowserTest::answer);
        browser.freshTab();
    }

    private static String page(String address) {
        return server.api() + "/ui/" + address;
    }

    /** Each page, and what it says when its data is there. */
    private static Map<String, String> pages() {
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

    /** What a user of a phone, or of a screen that is dark, sees of the same. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void shouldShowEachPageToEverybodyOnANarrowScreen(String theme) throws Exception {
        browser.theme(theme);
        browser.width(390, 844);
        for (Map.Entry<String, String> page : pages().entrySet()) {
            browser.open(page(page.getKey()));
            browser.untilSays(page.getValue());

            assertThat(browser.violations()).as(page.getKey()).isEmpty();
            assertThat(browser.value("document.documentElement.scrollWidth").asInt())
                    .as("width of " + page.getKey())
                    .isLessThanOrEqualTo(390);
        }
    }

    @Test
    void shouldBreakNamesAtTheirHyphensOnANarrowScreen() throws Exception {
        String name = "a-campaign-with-a-name-of-very-many-words-that-is-long";
        api.submit("""
            {"name": "%s", "cases": [{"id": "c", "prompt": "Yes?"}], "branches": [{"id": "b", "kind": "scripted", "script": {"answers": ["yes"]}}]}
            """.formatted(name));
        browser.width(390, 844);
        browser.open(page("?q=" + name));
        browser.untilSays(name.substring(0, 1));
        browser.until("document.querySelector('[data-row]')");

        List<String> lines = new ArrayList<>();
        browser.value("""
            (() => {
              const text = document.querySelector('[data-row]').firstChild.parentElement;
              const node = [...text.childNodes].find(n => n.nodeType === 3 && n.data.includes('campaign'));
              const lines = [];
              let top = null;
              for (let i = 0; i < node.data.length; i++) {
                const range = document.createRange();
                range.setStart(node, i);
                range.setEnd(node, i + 1);
                const now = range.getBoundingClientRect().top;
                if (now !== top) lines.push('');
                top = now;
                lines[lines.length - 1] += node.data[i];
              }
              return lines;
            })()\
            """).forEach(line -> lines.add(line.asText()));
        assertThat(String.join("", lines)).isEqualTo(name);
        assertThat(lines).hasSizeGreaterThan(1);
        assertThat(lines.subList(0, lines.size() - 1)).allMatch(line -> line.endsWith("-"));
    }

    @Test
    void shouldAlignTheFieldsOfADialog() {
        browser.open(page("campaigns/" + second));
        browser.untilSays("Branches");
        press("Limits …");
        browser.until("document.querySelector('dialog input')");

        assertThat(browser.value("[...document.querySelectorAll('dialog input')].map(f =>"
                                + " f.getBoundingClientRect()).map(r => Math.round(r.left) + ' ' +"
                                + " Math.round(r.right))")
                        .valueStream()
                        .map(JsonNode::asText)
                        .distinct())
                .hasSize(1);
    }

    /** Each answer stands below the head of its branch, however long names are and wherever the list is scrolled. */
    @ParameterizedTest
    @ValueSource(strings = {"", "&view=signs"})
    void shouldKeepHeadsOverTheirColumns(String view) {
        for (int width : List.of(390, 1440)) {
            browser.width(width, 844);
            browser.open(page("campaigns/" + first + "/results?sort=worst" + view));
            browser.untilSays("case-7");
            browser.value("document.querySelector('.view').scrollTo(90, 900)");
            browser.until("document.querySelector('.space [role=gridcell]')");

            assertThat(browser.value("""
                (() => {
                  const left = e => Math.round(e.getBoundingClientRect().left);
                  const heads = [...document.querySelectorAll('.head [role=columnheader]')].slice(1).map(left);
                  const cells = [...document.querySelectorAll('.space .line')[0].querySelectorAll('[role=gridcell]')].map(left);
                  const top = document.querySelector('.head').getBoundingClientRect().top - document.querySelector('.view').getBoundingClientRect().top;
                  return JSON.stringify(heads) === JSON.stringify(cells) && heads.length === 3 && top < 2;
                })()\
                """).asBoolean()).as(width + view).isTrue();
        }
    }

    @Test
    void shouldShowTheFirstLinesOfAnswersAndTheWholeOnAKey() throws Exception {
        MODEL.answerBy((name, prompt) -> "no " + HOSTILE + "\u202E\u001b[31m" + "long ".repeat(250_000) + "the end");
        String id = api.submit(campaign("long", "n")
                .replace("\"trials\": 2", "\"trials\": 1")
                .replace("\"llm-judge\"", "\"pick-first\"")
                .replace(", \"judge\": {\"provider\": \"stub\", \"model\": \"j\"}", ""));
        await().atMost(Duration.ofSeconds(60)).until(() -> api.state(id).equals("COMPLETED"));
        browser.open(page("campaigns/" + id + "/results?branch=unsure"));
        browser.untilSays("Expected: yes");
        browser.untilSays("no " + HOSTILE);

        assertThat(browser.value("document.querySelectorAll('.answer').length").asInt())
                .isLessThan(60);
        assertThat(browser.value(
                                "Math.max(...[...document.querySelectorAll('.answer')].map(a => a.textContent.length))")
                        .asInt())
                .isLessThan(2_000);
        assertThat(browser.text()).contains("0 % 0/40").doesNotContain("chosen", "undecided");
        assertThat(browser.violations()).isEmpty();

        browser.press("j", "w");
        browser.until("document.querySelector('dialog pre')");
        assertThat(browser.value("document.querySelector('dialog pre').textContent.length")
                        .asInt())
                .isEqualTo(200_000);
        assertThat(browser.text()).contains("more on the page of the cell");
        browser.press("Escape");
        browser.until("!document.querySelector('dialog')");
        press("Signs");
        browser.until("new URL(location).searchParams.get('view') === 'signs'");
        browser.until("document.querySelector('.space .signs')");
        assertThat(browser.value("!!document.querySelector('.chosen')").asBoolean())
                .isFalse();
        assertThat(browser.problems()).isEmpty();
    }

    /** Calls take as long as three reports of a worker: cells that end say nothing of them for most of the time. */
    @Test
    void shouldChartCallsInFlightAsTheyAreWhenEachTakesLong() throws Exception {
        // No two end together: there would be none in flight for a moment.
        MODEL.delayBy(prompt -> Duration.ofMillis(4_500 + 800L * (prompt.charAt(prompt.length() - 2) - '1')));
        String id = api.submit("""
            {"name": "slow", "cases": [{"id": "c-1", "prompt": "Question 1."}, {"id": "c-2", "prompt": "Question 2."},
               {"id": "c-3", "prompt": "Question 3."}, {"id": "c-4", "prompt": "Question 4."}], "limits": {"maxConcurrent": 2},
             "branches": [{"id": "m", "provider": "stub", "model": "m"}]}
            """);
        await().atMost(Duration.ofSeconds(60)).until(() -> api.state(id).equals("COMPLETED"));
        MODEL.release();

        List<Double> calls = callsInFlight(id);
        assertThat(calls).hasSizeGreaterThanOrEqualTo(4).allMatch(now -> now <= 2);
        assertThat(calls.subList(0, calls.size() - 1).stream().dropWhile(now -> now == 0))
                .as("from the first call on, up to a count that may follow the last")
                .allMatch(now -> now > 0);
        // A worker's last count may come after the campaign has ended.
        await().untilAsserted(() -> {
            browser.open(page("campaigns/" + id));
            browser.untilSays("Over time");
            assertThat(chartedCalls()).isEqualTo(callsInFlight(id));
        });
    }

    private List<Double> callsInFlight(String id) throws Exception {
        return api.get("/api/v1/campaigns/" + id + "/series").get("items").findValues("inFlight").stream()
                .filter(JsonNode::isNumber)
                .map(now -> Math.round(now.asDouble() * 10) / 10.0)
                .toList();
    }

    private List<Double> chartedCalls() {
        return browser.value("[...[...document.querySelectorAll('figure')].find(f =>"
                        + " f.textContent.startsWith('Calls in flight')).querySelectorAll('tbody"
                        + " td.number')].map(c => Number(c.textContent))")
                .valueStream()
                .map(JsonNode::asDouble)
                .toList();
    }

    /** Errors stand among the newest failures with what was said, and apart from the rate of answers. */
    @Test
    void shouldShowErrorsAmongTheNewestFailures() throws Exception {
        MODEL.replyBy(request -> request.toString().contains("Question 1.")
                ? new StubModel.Reply(400, "{\"error\": {\"message\": \"Too odd\"}}", Map.of())
                : null);
        String id = api.submit("""
            {"name": "errors", "cases": [{"id": "c-1", "prompt": "Question 1."}, {"id": "c-2", "prompt": "Question 2."}],
             "branches": [{"id": "m", "provider": "stub", "model": "m"}]}
            """);
        browser.open(page("campaigns/" + id));
        browser.untilSays("COMPLETED");
        browser.untilSays("c-1 · m · trial 1");
        browser.untilSays("Too odd PROVIDER_REJECTED");

        browser.open(page("campaigns/" + id + "/results?filter=errored"));
        browser.untilSays("No answer.");
        browser.untilSays("Too odd");
    }

    /** The cell page asks once with another prompt, and says before what that costs. */
    @Test
    void shouldTryAnotherPromptApartFromTheCampaign() throws Exception {
        MODEL.answerBy((name, prompt) -> prompt.contains("Say yes") ? "yes, as you say" : "no " + HOSTILE);
        String before = api.get("/api/v1/campaigns/" + first).toString();
        browser.open(page("campaigns/" + first + "/cells/case-7/unsure/1?tab=try"));
        browser.untilSays("Asks 1 time");
        browser.untilSays("about 15 tokens");
        press("Ask once");
        browser.untilSays("What differs");
        browser.untilSays("FAIL");
        browser.value("(() => { const prompt = [...document.querySelectorAll('textarea')][1]; prompt.value = 'Say yes';"
                + " prompt.dispatchEvent(new Event('input', {bubbles: true})); })()");
        browser.untilSays("Asks 1 time");
        press("Ask once");
        browser.until("[...document.querySelectorAll('ins')].some(i => i.textContent.includes('yes,'))");

        assertThat(browser.text()).contains("yes, as you say").contains("no " + HOSTILE);
        assertThat(browser.violations()).isEmpty();
        assertThat(browser.problems()).isEmpty();
        assertThat(api.get("/api/v1/campaigns/" + first).toString().replaceAll("\"age.*?,", ""))
                .isEqualTo(before.replaceAll("\"age.*?,", ""));
    }

    @Test
    void shouldRunACellAgainFromItsPage() throws Exception {
        String id = api.submit(campaign("again", "n").replace("\"trials\": 2", "\"trials\": 1"));
        await().atMost(Duration.ofSeconds(60)).until(() -> api.state(id).equals("COMPLETED"));
        browser.open(page("campaigns/" + id + "/cells/case-7/unsure/1"));
        browser.untilSays("About it");
        MODEL.answerBy((name, prompt) -> name.equals("j") ? "1" : "yes");
        press("Run again …");
        press("dialog button.main");
        browser.untilSays("Replaced results");
        browser.untilSays("● PASSED equals");

        browser.open(page("campaigns/" + id + "/cells/case-8/unsure/1"));
        browser.untilSays("About it");
        assertThat(browser.text()).doesNotContain("Run again");
    }

    @Test
    void shouldCompareAnyNumberThatIsPickedFromAList() {
        browser.open(page("campaigns/" + first));
        browser.untilSays("Branches");
        browser.click("a[href*='/ui/compare?pick=']");
        browser.untilSays("Pick campaigns and branches");
        pick(first, "unsure");
        pick(first, "sure");
        browser.value("(() => { const filter = document.querySelector('.picker input'); filter.value = '" + second
                + "'; filter.dispatchEvent(new Event('input', {bubbles: true})); })()");
        pick(second, "unsure");
        pick(second, "tool");
        browser.untilSays("Beside the baseline");
        browser.until("document.querySelectorAll('main table.rows a[aria-current]').length === 3");
        assertThat(browser.text()).contains("+2.5 pp");
        browser.value("[...document.querySelectorAll('a[aria-current]')][2].click()");
        browser.until("new URL(location).searchParams.get('with')?.endsWith(':tool')");
        browser.until("document.querySelector('a[aria-current=true]').textContent.endsWith(':tool')");
        browser.value("[...document.querySelectorAll('.chip button')].at(-1).click()");
        browser.until("document.querySelectorAll('main table.rows a[aria-current]').length === 2");
        assertThat(browser.problems()).isEmpty();
    }

    private void pick(String campaign, String branch) {
        String button = "[...document.querySelectorAll('.picker button')].find(b => !b.disabled && b.textContent === '"
                + branch + " of " + campaign + "')";
        browser.until(button);
        browser.value(button + ".click()");
    }

    @Test
    void shouldCompareBranchesOfTheSameNameWhenCampaignsAreTicked() {
        browser.open(page("compare?a=" + first + "&b=" + second));
        browser.until("new URL(location).searchParams.getAll('b').join() === '" + second + ":sure'");
        browser.untilSays("Regressed: none");
        browser.open(page("compare?a=" + first));
        browser.until("new URL(location).searchParams.getAll('b').length === 2");
        browser.untilSays("Beside the baseline");
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void shouldShowEachPageToEverybodyAndRunNothingWhenEveryTextIsHostile(String theme) throws Exception {
        browser.theme(theme);
        for (Map.Entry<String, String> page : pages().entrySet()) {
            browser.open(page(page.getKey()));
            browser.untilSays(page.getValue());

            assertThat(browser.violations()).as(page.getKey()).isEmpty();
        }
        assertThat(browser.problems()).isEmpty();
        assertThat(browser.requests())
                .allMatch(address -> address.startsWith(server.api().toString())
                        || address.startsWith("data:")
                        || address.startsWith("about:"));
    }

    /** Answers requests to the API in the place of the server; null lets one through. */
    private void answer(Function<JsonNode, @Nullable String> answers, int status) {
        browser.listen("Fetch.requestPaused", event -> {
            String id = event.get("requestId").asText();
            String body = answers.apply(event.get("request"));
            if (body == null) {
                browser.start("Fetch.continueRequest", Map.of("requestId", id));
            } else {
                browser.start(
                        "Fetch.fulfillRequest",
                        Map.of(
                                "requestId",
                                id,
                                "responseCode",
                                status,
                                "responseHeaders",
                                List.of(Map.of("name", "Content-Type", "value", "application/json")),
                                "body",
                                Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8))));
            }
        });
        browser.call("Fetch.enable", Map.of("patterns", List.of(Map.of("urlPattern", "*/api/v1/*"))));
    }

    @Test
    void shouldSayWhatFailedAndShowThePageWhenTheServerAnswersAgain() {
        for (Map.Entry<String, String> page : pages().entrySet()) {
            answer(_ -> "{\"detail\": \"It broke.\", \"code\": \"INTERNAL\", \"requestId\": \"r-1\"}", 500);
            browser.open(page(page.getKey()));
            browser.untilSays("It broke.");
            browser.untilSays("INTERNAL · request r-1");

            browser.call("Fetch.disable", Map.of());
            browser.click(".trouble button");
            browser.untilSays(page.getValue());
            assertThat(browser.text()).as(page.getKey()).doesNotContain("It broke.");
        }
    }

    @Test
    void shouldSayWhatToTypeWhenThereIsNoCampaign() {
        answer(_ -> "{\"items\": [], \"nextPageToken\": null}", 200);
        browser.open(page(""));
        browser.untilSays("assay run examples/quickstart/campaign.yaml");
        browser.open(page("?q=nothing"));
        browser.untilSays("No campaign fits.");
    }

    @Test
    void shouldAskForATokenOnceAndKeepItOutOfAddressesWhenTheServerAsksForOne() {
        answer(
                request -> request.toString().contains("Bearer assay_secret")
                        ? null
                        : "{\"detail\": \"A token is needed.\", \"code\": \"UNAUTHENTICATED\"}",
                401);
        browser.open(page(""));
        browser.untilSays("This server asks for a token");
        browser.type("assay_secret");
        browser.press("Enter");
        browser.untilSays("second");
        browser.open(page("campaigns/" + second));
        browser.untilSays("Branches");

        assertThat(browser.requests()).noneMatch(address -> address.contains("secret"));
        assertThat(browser.value("localStorage.length + document.cookie.length").asInt())
                .isZero();
    }

    @Test
    void shouldReturnToWhatWasShownWhenTheUserGoesBackAndForward() {
        browser.open(page("campaigns/" + first + "/results"));
        browser.untilSays("40 of 40 cases");
        browser.click("button[title^='a trial did not']");
        browser.untilSays("1 of 40 cases");
        browser.press("Enter");
        browser.untilSays("About it");
        String cell = browser.value("location.href").asText();

        browser.value("history.back()");
        browser.untilSays("1 of 40 cases");
        browser.value("history.back()");
        browser.untilSays("40 of 40 cases");
        browser.value("history.go(2)");
        browser.untilSays("About it");
        assertThat(browser.value("location.href").asText()).isEqualTo(cell);
    }

    /** Watch, pause, raise a limit, resume, find the failing cell by keys, read it and the judge, compare, open a flip, export, delete. */
    @Test
    void shouldLeadAUserFromARunningCampaignToItsFailureAndItsComparison() throws Exception {
        MODEL.delay(Duration.ofMillis(300));
        String id = api.submit(
                campaign("walked", "n").replace("\"trials\": 2", "\"trials\": 1, \"limits\": {\"maxConcurrent\": 2}"));
        browser.open(page(""));
        browser.untilSays("walked");
        browser.press("j", "Enter");
        browser.untilSays("● live");
        browser.untilSays("RUNNING");

        press("Pause");
        press("dialog button.main");
        browser.untilSays("PAUSED");
        press("Limits …");
        browser.value("document.querySelector('[name=maxConcurrent]').value = 20");
        press("dialog button.main");
        browser.until("!document.querySelector('dialog')");
        assertThat(api.get("/api/v1/campaigns/" + id).path("maxConcurrent").asInt())
                .isEqualTo(20);
        MODEL.release();
        press("Resume");
        press("dialog button.main");
        browser.untilSays("COMPLETED");
        browser.untilSays("■ ended");

        browser.open(page("campaigns/" + id + "/results"));
        browser.untilSays("40 of 40 cases");
        browser.press("]", "b", "Enter");
        browser.untilSays("About it");
        browser.untilSays("Expected \"yes\"");
        assertThat(browser.value("location.pathname").asText()).endsWith("/cells/case-7/unsure/1");
        assertThat(browser.text()).contains("no " + HOSTILE);
        browser.value("[...document.querySelectorAll('[role=tab]')].find(t => t.textContent === 'Judge').click()");
        browser.untilSays("Answers were shown in this order");

        browser.open(page("compare?a=" + second + ":unsure&b=" + id + ":unsure"));
        browser.untilSays("Regressed: 1");
        browser.untilSays("Trials passed, by tag");
        browser.press("j", "Enter");
        browser.untilSays("trial 1");
        assertThat(browser.value("document.querySelector('ins').textContent").asText())
                .contains("no");

        browser.open(page("campaigns/" + id + "/results"));
        browser.untilSays("Export CSV");
        String csv = browser.value("fetch(document.querySelector('a[download$=csv]').href).then(a => a.text())")
                .asText();
        assertThat(csv.lines().count()).isEqualTo(1 + 3 * CASES);

        browser.open(page("campaigns/" + id + "/results?filter=failing"));
        browser.untilSays("1 of 40 cases");
        assertThat(browser.value("fetch(document.querySelector('a[download$=jsonl]').href).then(a => a.text())")
                        .asText()
                        .lines())
                .hasSize(3)
                .allMatch(line -> line.contains("\"caseId\":\"case-7\""));
        press("Run these again …");
        browser.untilSays("Opens what did not pass among 1 cases again");
        press("dialog button.main");
        browser.until("!document.querySelector('dialog')");
        await().atMost(Duration.ofSeconds(60)).until(() -> api.state(id).equals("COMPLETED"));
        assertThat(api.get("/api/v1/campaigns/" + id + "/replaced").toString())
                .contains("case-7")
                .doesNotContain("case-8");

        browser.open(page("campaigns/" + id));
        press("Delete …");
        press("dialog button.danger");
        browser.until("location.pathname === '/ui/'");
        assertThat(api.get("/api/v1/campaigns/" + id).path("code").asText()).isEqualTo("NOT_FOUND");
    }

    /** Presses the button with this text, or what a selector finds. */
    private void press(String button) {
        String script = button.contains(".")
                ? "document.querySelector(" + quoted(button) + ")"
                : "[...document.querySelectorAll('button')].find(b => b.textContent === " + quoted(button) + ")";
        browser.until(script);
        browser.value(script + ".click()");
    }

    @Test
    void shouldShowFailedChecksSlowAnswersAndTagsWhenTheyAreAskedFor() throws Exception {
        browser.open(page("campaigns/" + first + "/results?check=equals"));
        browser.untilSays("1 of 40 cases");
        browser.click("details summary");
        browser.untilSays("97.5 % 78/80");
        assertThat(browser.violations()).isEmpty();
        browser.open(page("campaigns/" + first + "/results?slow=100000"));
        browser.untilSays("No case fits.");
    }

    @Test
    void shouldShowADashForUnknownTokensAndHowManyAnswersASumLeavesOut() throws Exception {
        MODEL.replyBy(request -> request.toString().contains("Question 1.")
                ? new StubModel.Reply(
                        200,
                        "{\"choices\": [{\"message\": {\"role\": \"assistant\", \"content\": \"yes\"}}]}",
                        Map.of())
                : null);
        String id = api.submit("""
            {"name": "unreported", "cases": [{"id": "c-1", "prompt": "Question 1."}, {"id": "c-2", "prompt": "Question 2."}],
             "branches": [{"id": "some", "provider": "stub", "model": "m"},
                          {"id": "half", "kind": "scripted", "script": {"answers": ["yes"], "usage": {"input": 7}}}]}
            """);
        browser.open(page("campaigns/" + id));
        browser.untilSays("COMPLETED");
        browser.untilSays("15 (3 unknown)");

        assertThat(browser.value("[...[...document.querySelectorAll('h2')].find(h => h.textContent ==="
                                + " 'Branches').nextElementSibling.querySelectorAll('tbody tr')].map(r =>"
                                + " r.lastElementChild.textContent)")
                        .valueStream()
                        .map(JsonNode::asText))
                .containsExactly("15 (1 unknown)", "–");
        browser.open(page("campaigns/" + id + "/cells/c-1/half/1"));
        browser.untilSays("–: 7 in, – out, 0 reasoning");
        assertThat(browser.violations()).isEmpty();
    }

    /** Swagger UI is the work of others: axe is not asked about it. */
    @Test
    void shouldShowAndTryTheApiWhenItsPageIsOpened() {
        browser.open(page(""));
        browser.untilSays("second");
        browser.click("a[href='/ui/api']");
        browser.untilSays("Submit a campaign");
        browser.click("#operations-server-getServer .opblock-summary-control");
        browser.click("#operations-server-getServer .try-out__btn");
        browser.click("#operations-server-getServer .execute");
        browser.until("document.querySelector('#operations-server-getServer .live-responses-table')");
        browser.untilSays("\"version\"");

        assertThat(browser.problems()).isEmpty();
        assertThat(browser.requests())
                .allMatch(address -> address.startsWith(server.api().toString())
                        || address.startsWith("data:")
                        || address.startsWith("about:"));
    }

    @Test
    void shouldAskForATokenAndSendItWithWhatIsTriedWhenThePageOfTheApiIsOpened() {
        List<String> authorized = new CopyOnWriteArrayList<>();
        browser.listen("Fetch.requestPaused", event -> {
            String id = event.get("requestId").asText();
            if (event.toString().contains("Bearer assay_secret")) {
                authorized.add(event.at("/request/url").asText());
                browser.start("Fetch.continueRequest", Map.of("requestId", id));
            } else {
                browser.start("Fetch.fulfillRequest", Map.of("requestId", id, "responseCode", 401));
            }
        });
        browser.call(
                "Fetch.enable",
                Map.of("patterns", List.of(Map.of("urlPattern", "*/openapi"), Map.of("urlPattern", "*/api/v1/*"))));
        browser.open(page("api"));
        browser.untilSays("This server asks for a token");
        browser.type("assay_secret");
        browser.press("Enter");
        browser.untilSays("Submit a campaign");
        browser.click("#operations-server-getServer .opblock-summary-control");
        browser.click("#operations-server-getServer .try-out__btn");
        browser.click("#operations-server-getServer .execute");
        browser.untilSays("\"version\"");

        assertThat(authorized).anyMatch(address -> address.endsWith("/api/v1/server"));
    }

    @Test
    void shouldShowInOneTabWhatIsDoneInAnother() throws Exception {
        MODEL.delay(Duration.ofMinutes(5));
        String id = api.submit(
                campaign("shared", "n").replace("\"trials\": 2", "\"trials\": 1, \"limits\": {\"maxConcurrent\": 2}"));
        browser.open(page("campaigns/" + id));
        browser.untilSays("● live");
        browser.untilSays("RUNNING");
        String watching = browser.tab();
        browser.anotherTab();
        browser.open(page("campaigns/" + id));
        browser.untilSays("● live");
        press("Pause");
        press("dialog button.main");
        browser.untilSays("PAUSED");
        String steering = browser.tab();

        browser.lookAt(watching);
        browser.untilSays("PAUSED");
        press("Cancel …");
        press("dialog button.danger");
        browser.untilSays("CANCELLED");
        browser.lookAt(steering);
        browser.untilSays("CANCELLED");
        browser.untilSays("■ ended");
        MODEL.release();
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void shouldFollowNothingInATabThatIsHidden() throws Exception {
        MODEL.delay(Duration.ofMinutes(5));
        String id = api.submit(
                campaign("hidden", "n").replace("\"trials\": 2", "\"trials\": 1, \"limits\": {\"maxConcurrent\": 2}"));
        List<String> ended = new CopyOnWriteArrayList<>();
        browser.listen(
                "Network.loadingFailed",
                event -> ended.add(event.path("requestId").asText()));
        browser.open(page("campaigns/" + id));
        browser.untilSays("● live");
        ended.clear();
        browser.value(hide(true));
        await().atMost(Duration.ofSeconds(60)).until(() -> !ended.isEmpty());
        api.steer(id, "cancel");
        assertThat(browser.text()).contains("RUNNING");

        browser.value(hide(false));
        browser.untilSays("CANCELLED");
        browser.untilSays("■ ended");
        MODEL.release();
    }

    /** As when the user looks at another tab, or at this one again. A browser without windows never hides one. */
    private static String hide(boolean hidden) {
        return "Object.defineProperty(document, 'hidden', {configurable: true, get: () => " + hidden
                + "}); document.dispatchEvent(new Event('visibilitychange'))";
    }

    /** Every link, button and field that a user sees, as what Tab reaches is compared. A grid's own keys reach what is in its cells. */
    private static final String CONTROLS = """
        [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(e =>
          !e.disabled && e.checkVisibility({visibilityProperty: true}) && !e.matches('.skip, [tabindex="-1"]'))\
        """;

    @Test
    void shouldReachEveryControlByTabWithAFocusThatIsSeen() {
        for (Map.Entry<String, String> page : pages().entrySet()) {
            browser.open(page(page.getKey()));
            browser.untilSays(page.getValue());
            browser.value("window.reached = new Set(); window.unseen = []; document.addEventListener('focusin', e => {"
                    + "reached.add(e.target); const s = getComputedStyle(e.target);"
                    + "if (s.outlineStyle === 'none') unseen.push(e.target.outerHTML); })");
            int controls = browser.value(CONTROLS + ".length").asInt();
            // Chromium's Tab stops at what scrolls, too.
            for (int i = 0; i < 2 * controls + 20; i++) {
                browser.press("Tab");
            }

            assertThat(browser.value(CONTROLS + ".filter(e => !reached.has(e)).map(e => e.outerHTML).join('\\n')")
                            .asText())
                    .as("not reached on " + page.getKey())
                    .isEmpty();
            assertThat(browser.value("unseen.join('\\n')").asText())
                    .as("without a sign of focus on " + page.getKey())
                    .isEmpty();
        }
    }

    /** Steer, look for the failing cell, read it, and compare two campaigns, without a pointer. */
    @Test
    void shouldLeadThroughACampaignByKeysAlone() throws Exception {
        MODEL.delay(Duration.ofMillis(300));
        String id = api.submit(campaign("by keys", "n").replace("\"trials\": 2", "\"trials\": 1"));
        browser.open(page("?q=by+keys"));
        browser.untilSays("by keys");
        browser.press("j", "Enter");
        browser.untilSays("RUNNING");
        tabTo("Pause");
        browser.press("Enter");
        browser.until("document.querySelector('dialog')");
        browser.press("Escape");
        browser.until("!document.querySelector('dialog') && document.activeElement.textContent.trim() === 'Pause'");
        browser.press("Enter");
        browser.until("document.querySelector('dialog button.main')");
        browser.press("Enter");
        browser.untilSays("PAUSED");
        MODEL.release();
        tabTo("Resume");
        browser.press("Enter");
        browser.until("document.querySelector('dialog button.main')");
        browser.press("Enter");
        browser.untilSays("COMPLETED");

        tabTo("Results");
        browser.press("Enter");
        browser.untilSays("40 of 40 cases");
        tabTo("failing");
        browser.press(" ");
        browser.untilSays("1 of 40 cases");
        tabTo("flaky");
        browser.press(" ");
        browser.untilSays("No case fits.");
        tabTo("Show all");
        browser.press("Enter");
        browser.untilSays("40 of 40 cases");
        browser.value("document.activeElement.blur()");
        browser.press("]", "b", "Enter");
        browser.untilSays("About it");
        browser.untilSays("Expected \"yes\"");
        tabTo("Judge");
        browser.press("Enter");
        browser.untilSays("Answers were shown in this order");
        browser.press("Escape");
        browser.until("new URL(location).searchParams.get('at') === '7'");
        browser.press("Escape");
        browser.untilSays("Branches");
        browser.press("g", "c");
        browser.untilSays("Tick campaigns to compare them.");
        for (int i = 0; i < 2; i++) {
            tabToOne("document.querySelector('input[type=checkbox]:not(:checked):not(:disabled)')");
            browser.press(" ");
        }
        tabTo("Compare the 2");
        browser.press("Enter");
        browser.until("location.pathname === '/ui/compare'");
    }

    /** Presses Tab until a link or a button with this text has the focus. */
    private void tabTo(String text) {
        tabToOne("[...document.querySelectorAll('main a, main button')].find(e => !e.disabled && e.textContent.trim()"
                + " === "
                + quoted(text) + ")");
    }

    /** The same with what an expression finds. */
    private void tabToOne(String control) {
        browser.until(control);
        for (int i = 0; i < 300; i++) {
            browser.press("Tab");
            if (browser.value("document.activeElement === " + control).asBoolean()) {
                return;
            }
        }
        throw new AssertionError("Tab never reaches " + control + " in: " + browser.text());
    }

    @Test
    void shouldReachEverythingByKeysAlone() {
        browser.open(page(""));
        browser.untilSays("second");
        browser.press("?");
        browser.untilSays("these keys");
        browser.press("Escape");
        browser.until("!document.querySelector('dialog')");
        browser.press("/");
        browser.type("second");
        browser.until("location.search === '?q=second'");
        browser.press("Escape");
        browser.until("document.querySelectorAll('tbody tr').length === 1");
        browser.press("j", "Enter");
        browser.untilSays("Branches");
        browser.press("Escape");
        browser.until("location.pathname === '/ui/'");
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            browser.press("Tab");
            reached.add(
                    browser.value("document.activeElement.textContent.trim()").asText());
        }
        assertThat(reached).contains("Campaigns", "Compare", "?");
    }
}
