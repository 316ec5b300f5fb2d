package dev.assay.cli.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Narrow and dark screens, keys alone, several tabs, what fails and comes back: the pages serve whoever looks at them. */
@Tag("slow")
@Timeout(120)
class PagesForEverybodyTest extends PagesInBrowser {

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
}
