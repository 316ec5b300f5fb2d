package dev.assay.cli;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.engine.EngineKind;
import dev.assay.cli.server.AssayServer;
import dev.assay.cli.server.DataDirectory;
import dev.assay.cli.server.ServerOptions;
import dev.assay.domain.campaign.CampaignDocument;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the launcher lets the JVM watch after a build: a start of everything and a small campaign without models. The JVM
 * remembers which classes that took and has them ready at later starts (JEP 514).
 */
public final class WarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;
    private static final String CAMPAIGN = """
        name: warm-up
        cases:
          - {id: one, prompt: One?, checks: [{type: icontains, value: one}]}
          - {id: two, prompt: Two?}
        branches:
          - {id: a, kind: scripted, script: {answers: [One.]}}
          - {id: b, kind: scripted, script: {answers: [Two.]}}
        strategy: {type: token-efficient}
        """;

    private WarmUp() {}

    /** Ends with 0 also when only a part worked: the rest starts more slowly, and correctly. */
    public static void main(String[] arguments) {
        ServerOptions options =
                new ServerOptions("assay warm-up", "127.0.0.1", 0, EngineKind.IN_PROCESS, ServerOptions.Role.RUNNER);
        try (AssayServer server = AssayServer.tryStart(DataDirectory.open(Path.of(arguments[0])), options)
                        .orElseThrow();
                AssayApi api = new AssayApi(server.api())) {
            String id = api.submit(CampaignDocument.parse(CAMPAIGN)).id();
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!api.campaign(id).state().ended() && System.nanoTime() < deadline) {
                Thread.sleep(POLL_MILLIS);
            }
            api.report(id);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("The warm-up was cut short: {}", e.toString());
        }
        System.exit(0);
    }
}
