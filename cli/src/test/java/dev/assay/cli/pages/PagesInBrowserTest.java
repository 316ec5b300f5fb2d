package dev.assay.cli.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.StubModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the pages show of campaigns, and what users do with them. */
@Tag("slow")
@Timeout(120)
class PagesInBrowserTest extends PagesInBrowser {

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

    @Test
    void shouldShowWhatIsOutWithAProviderAndGiveItUp() throws Exception {
        BATCHES.takes(Duration.ofHours(1));
        String id = api.submit("""
            {"name": "out", "delivery": "batch", "cases": [{"id": "c-1", "prompt": "out 1"}, {"id": "c-2", "prompt": "out 2"}],
             "branches": [{"id": "m", "provider": "batched", "model": "m"}]}
            """);
        browser.open(page("campaigns/" + id));
        browser.untilSays("SUBMITTED");
        browser.untilSays("0 / 2 · 2 out");
        browser.untilSays("2 cells are out with batched (1 batch, 0 answered)");
        browser.untilSays("2 out");
        assertThat(browser.text()).contains("Batches").doesNotContain("STALLED");
        assertThat(browser.violations()).isEmpty();

        press("Give up …");
        browser.untilSays("2 cells that are out in it will be open again");
        press("dialog button.danger");
        browser.untilSays("ABANDONED");
        BATCHES.takes(Duration.ZERO);
        browser.untilSays("COLLECTED");
        await().atMost(Duration.ofSeconds(60)).until(() -> api.state(id).equals("COMPLETED"));
        browser.untilSays("2 answered");
        browser.open(page("campaigns/" + id + "/cells/c-1/m/1"));
        browser.untilSays("by batch");
        browser.untilSays(", at an assumed price");
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

    /** What was read before the end of a campaign, and comes after it, is not what the page shows last. */
    @Test
    void shouldShowTheEndWhenAnOlderAnswerComesAfterIt() throws Exception {
        MODEL.delay(Duration.ofSeconds(3));
        String id = api.submit("""
            {"name": "overtaken", "cases": [{"id": "c-1", "prompt": "Question 1."}],
             "branches": [{"id": "m", "provider": "stub", "model": "m"}]}
            """);
        browser.open(page("campaigns/" + id));
        browser.untilSays("RUNNING");
        browser.value("(() => { const ask = window.fetch; let first = true; window.fetch = async (...a) => {"
                + " const its = String(a[0]).endsWith('/campaigns/" + id
                + "'); const held = its && first; first &&= !its;"
                + " if (its && window.gone) window.askedLater = true; const answer = await ask(...a);"
                + " if (held) await new Promise((go) => { window.letGo = () => { window.gone = true; go(); }; });"
                + " return answer; }; document.querySelector('assay-campaign').load(); return 1; })()");
        browser.until("!!window.letGo");
        MODEL.release();
        browser.untilSays("COMPLETED");
        browser.untilSays("■ ended");
        browser.value("(window.letGo(), 1)");

        browser.until("window.askedLater");
        browser.untilSays("COMPLETED");
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

    /** A label by keys, with a note. It is found among the results, and taken back. */
    @Test
    void shouldLabelAnAnswerAndFindItByWhatPeopleSay() throws Exception {
        String cell = "campaigns/" + second + "/cells/case-3/unsure/1";
        browser.open(page(cell));
        browser.untilSays("Nobody labelled it");
        browser.press("n");
        browser.type("wrong " + HOSTILE);
        browser.press("Escape", "f");
        browser.untilSays("FAIL local");
        browser.untilSays("wrong " + HOSTILE);
        assertThat(browser.violations()).isEmpty();
        press("unsure");
        browser.untilSays("UNSURE local");
        browser.press("f");
        browser.untilSays("FAIL local");

        browser.open(page("campaigns/" + second + "/results?label=disagrees"));
        browser.untilSays("1 of 40 cases");
        browser.untilSays("case-3");
        browser.until("document.querySelector('[title=\"a person labelled it\"]')");
        assertThat(browser.violations()).isEmpty();
        browser.value("(() => { const people = [...document.querySelectorAll('select')][1]; people.value = 'pass';"
                + " people.dispatchEvent(new Event('change', {bubbles: true})); })()");
        browser.untilSays("No case fits.");

        browser.open(page(cell));
        press("Take back");
        browser.untilSays("Nobody labelled it");
        assertThat(api.get("/api/v1/campaigns/" + second + "/labels").path("items"))
                .isEmpty();
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void shouldShowWhatAScoringSaysOtherwiseThanBefore() throws Exception {
        String id = api.submit("""
            {"name": "scored", "cases": [{"id": "c-1", "prompt": "1", "checks": [{"type": "equals", "value": "yes"}]},
               {"id": "c-2", "prompt": "2", "checks": [{"type": "equals", "value": "no"}]}],
             "branches": [{"id": "m", "kind": "scripted", "script": {"answers": ["yes"]}}]}
            """);
        await().atMost(Duration.ofSeconds(60)).until(() -> api.state(id).equals("COMPLETED"));
        String scoring = api.submit("/api/v1/campaigns/" + id + "/scorings", """
            {"name": %s, "cases": [{"id": "c-1", "checks": [{"type": "equals", "value": "no"}]},
               {"id": "c-2", "checks": [{"type": "equals", "value": "yes"}]}]}
            """.formatted(quoted("other " + HOSTILE)));
        await().atMost(Duration.ofSeconds(60)).until(() -> api.state(scoring).equals("COMPLETED"));

        browser.open(page("campaigns/" + id));
        browser.untilSays("Scorings");
        browser.untilSays(scoring);
        browser.open(page("campaigns/" + scoring));
        browser.untilSays("Judges the stored answers of scored");
        browser.untilSays("Beside " + id);
        browser.untilSays("Only before");
        assertThat(browser.text()).as("nobody is asked").doesNotContain("Run again …", "Trials …");
        assertThat(browser.violations()).isEmpty();
        browser.click("[aria-label='What the scoring changes'] a");
        browser.untilSays("2 of 2 cases");
        browser.untilSays("●→✕ failed, before passed");
        browser.untilSays("✕→● passed, before failed");
        press("Signs");
        browser.untilSays("●→✕");
        assertThat(browser.violations()).isEmpty();
        browser.open(page("campaigns/" + scoring + "/cells/c-1/m/1"));
        browser.untilSays("Before this scoring");
        browser.untilSays(id + " · c-1 · m · trial 1");

        assertThat(api.delete("/api/v1/campaigns/" + id).statusCode()).isEqualTo(204);
        browser.open(page("campaigns/" + scoring + "/cells/c-1/m/1"));
        browser.untilSays(id + " · c-1 · m · trial 1 (deleted)");
        assertThat(browser.problems()).allMatch(problem -> problem.contains("404"));
    }

    @Test
    void shouldShowTheNumbersOfAToolBesideOurs() throws Exception {
        browser.open(page(""));
        browser.untilSays("second");
        String id = browser.value(
                        "(async () => { const post = async (path, type, body) => (await fetch('/api/v1/' + path,"
                                + " {method: 'POST', headers: {'Content-Type': type}, body})).json().catch(() => null);"
                                + " const json = 'application/json'; const begun = await post('imports', json,"
                                + " JSON.stringify({tool: 'my-tool', name: 'theirs', branches: [{id: 'small', model:"
                                + " 'any'}], aggregates: [{metric: 'passed', branch: 'small', theirs: 2, of: 'passed'},"
                                + " {metric: 'perplexity', branch: 'small', theirs: 1.5}]})); await post('imports/' +"
                                + " begun.import + '/results?sequence=0', 'application/x-ndjson', JSON.stringify({case:"
                                + " {id: 'c-1', prompts: ['Hello']}}) + '\\n"
                                + "' + JSON.stringify({caseId: 'c-1', branchId: 'small', trial: 1, status: 'COMPLETED',"
                                + " response: 'yes', passed: true})); return (await post('imports/' + begun.import +"
                                + " '/finish', json, '{}')).id; })()")
                .asText();
        browser.open(page("campaigns/" + id));
        browser.untilSays("Results of my-tool.");
        browser.untilSays("✕ FAIL");
        browser.untilSays("perplexity");
        assertThat(browser.violations()).isEmpty();
        assertThat(browser.problems()).isEmpty();
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
}
