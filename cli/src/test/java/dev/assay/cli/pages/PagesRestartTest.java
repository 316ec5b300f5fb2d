package dev.assay.cli.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.Assay;
import dev.assay.cli.testing.Api;
import dev.assay.standalone.testing.JavaProcess;
import dev.assay.standalone.testing.LastingPort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page that is open while its server dies. */
@Tag("slow")
@Timeout(180)
class PagesRestartTest {

    private static final String CAMPAIGN = """
        name: outlives
        cases: [{id: one, prompt: Yes?}, {id: two, prompt: Yes?}]
        branches: [{id: slow, kind: scripted, script: {answers: [yes], delayMs: 600000}}]
        """;

    @TempDir
    private Path data;

    @Test
    void shouldReconnectByItselfWhenTheServerWasKilledAndStartedAgain() throws Exception {
        Browser.assumeInstalled();
        int port = LastingPort.any();
        Process server = up(port);
        try (Api api = new Api(data);
                Browser browser = new Browser()) {
            api.await();
            String id = api.submit(CAMPAIGN);
            browser.open("http://127.0.0.1:" + port + "/ui/campaigns/" + id);
            browser.untilSays("● live");

            server.destroyForcibly().waitFor();
            browser.untilSays("◐ reconnecting");
            assertThat(browser.text()).contains("outlives").contains("0 / 2");

            server = up(port);
            api.await();
            browser.untilSays("● live");
            api.steer(id, "cancel");
            browser.untilSays("CANCELLED");
            browser.untilSays("■ ended");
        } finally {
            server.destroy();
            assertThat(server.waitFor(Duration.ofSeconds(20))).isTrue();
        }
    }

    private Process up(int port) throws IOException {
        return JavaProcess.start(
                Assay.class, "up", "--engine", "in-process", "--data", data.toString(), "--port", "" + port);
    }
}
