package dev.assay.cli.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.standalone.server.AssayServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pages of a campaign of 100,000 cases × 3 branches, whose rows SQL makes. */
@Tag("slow")
@Timeout(300)
class PagesLargeTest {

    private static final int CASES = 100_000;

    @TempDir
    private static Path directory;

    private static final List<AutoCloseable> STARTED = new ArrayList<>();

    private static AssayServer server;
    private static Api api;
    private static Browser browser;

    @BeforeAll
    static void start() throws Exception {
        Browser.assumeInstalled();
        browser = new Browser();
        STARTED.add(browser);
        server = InProcessServer.start(directory);
        STARTED.add(server);
        api = new Api(directory);
        STARTED.add(api);
        LargeCampaign.make(api, CASES, 1);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable one : STARTED) {
            one.close();
        }
    }

    @BeforeEach
    void open() {
        browser.freshTab();
    }

    private static void open(String address) {
        browser.open(server.api() + "/ui/campaigns/large" + address);
    }

    private static long cases(String which) throws Exception {
        return LargeCampaign.number(
                api, "SELECT count(DISTINCT case_index) FROM outcome WHERE campaign_id = 'large' AND " + which);
    }

    private static String ofAll(long cases) {
        return "%,d of 100,000 cases".formatted(cases);
    }

    /** Whether a row in view begins so. */
    private static String shows(String name) {
        return "[...document.querySelectorAll('.space .line')].some(line => line.textContent.trim().startsWith('" + name
                + " ') && line.getBoundingClientRect().top < innerHeight)";
    }

    @Test
    void shouldShowAnyPlaceOfTheListAndHoldOnlyTheRowsInView() {
        open("/results");
        browser.untilSays(ofAll(CASES));
        browser.until(shows("case-0"));
        browser.press("End");
        browser.until(shows("case-99999"));
        browser.press("k", "k");
        browser.until("new URL(location).searchParams.get('at') === '99997'");
        browser.value("const view = document.querySelector('.view'); view.scrollTop = view.scrollHeight / 2");
        browser.until(shows("case-50000"));
        browser.press("Home");
        browser.until(shows("case-0"));

        assertThat(browser.value("document.querySelectorAll('*').length").asInt())
                .isLessThan(2_000);
        assertThat(browser.problems()).isEmpty();
    }

    @Test
    void shouldFindAmongAllCasesWhatIsLookedFor() throws Exception {
        open("/results?filter=failing");
        browser.untilSays(ofAll(cases("NOT passed")));
        open("/results?filter=errored&branch=b");
        browser.untilSays(ofAll(cases("status = 'MODEL_ERROR' AND branch_index = 1")));
        open("/results?q=case-9999");
        browser.untilSays(ofAll(11));
        open("/results?q=case-9999&sort=worst");
        browser.untilSays(ofAll(11));
        browser.press("Enter");
        browser.until("location.pathname.includes('/cells/case-9999')");
        browser.untilSays("About it");
        browser.press("Escape");
        browser.untilSays(ofAll(CASES));
        browser.until("document.querySelector('.line[aria-selected=true]').textContent.includes('case-9999')");
    }

    @Test
    void shouldExportTheCasesThatAreShown() throws Exception {
        assertThat(exported("filter=errored")).isEqualTo(3 * cases("status = 'MODEL_ERROR'"));
        assertThat(exported("filter=errored&branch=b")).isEqualTo(cases("status = 'MODEL_ERROR' AND branch_index = 1"));
        assertThat(exported("q=case-9999")).isEqualTo(33);
    }

    /** Outcomes in the file that the page offers. */
    private static long exported(String filters) {
        browser.open("about:blank");
        open("/results?" + filters);
        browser.until("document.querySelector('a[download$=jsonl]')");
        return browser.value("fetch(document.querySelector('a[download$=jsonl]').href).then(a => a.text())"
                        + ".then(file => file.split('\\n').length - 1)")
                .asLong();
    }

    @Test
    void shouldShowTheNewestFailuresAndOpenOne() throws Exception {
        long newest = LargeCampaign.number(api, """
            SELECT case_index FROM outcome WHERE campaign_id = 'large' AND NOT passed
            ORDER BY finished_at DESC, ordinal DESC, branch_index DESC LIMIT 1\
            """);
        open("");
        browser.untilSays("Newest failures");
        browser.untilSays("case-" + newest + " · ");
        browser.press("j", "Enter");
        browser.until("location.pathname.includes('/cells/case-')");
        browser.untilSays("About it");
    }
}
