package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.work.compute.PatternTask;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.compute.pool.ComputeSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker whose compute processes do not start claims no cell that needs one, and goes on by itself when they do. */
@Tag("slow")
final class ComputeDownTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static final String CAMPAIGN = """
        name: %s
        cases: [{id: only, prompt: Hello?, checks: [{type: %s, value: Hi}]}]
        branches: [{id: b, kind: scripted, script: {answers: [Hi]}}]
        trials: 5
        """;

    @TempDir
    Path temporary;

    @Test
    void shouldClaimNoCellThatNeedsAProcessUntilOneStarts() throws Exception {
        // A file of options that is missing is an error of the JVM.
        Path options = temporary.resolve("options");
        ComputeSettings settings = new ComputeSettings(1, 256, LONG, LONG, LONG, List.of("@" + options));
        try (ComputePool pool = new ComputePool(settings);
                Engine engine = new Engine(
                        ToolPolicy.NONE,
                        Map.of("assay.compute.own", false),
                        context -> context.registerSingleton(ComputePool.class, pool))) {
            Thread.startVirtualThread(() -> pool.runToEnd("another", new PatternTask(List.of("a"), "a")));
            await().atMost(LONG).until(pool::isDown);

            engine.submit("needs", CAMPAIGN.formatted("needs", "regex"), Map.of());
            engine.submit("linear", CAMPAIGN.formatted("linear", "contains"), Map.of());
            engine.await("linear", CampaignState.COMPLETED);

            assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'needs'"))
                    .isZero();
            assertThat(engine.store.count("SELECT count(*) FROM cell WHERE campaign_id = 'needs' AND attempts > 0"))
                    .isZero();

            Files.writeString(options, "");
            engine.await("needs", CampaignState.COMPLETED);
            assertThat(engine.store.count(
                            "SELECT count(*) FROM outcome WHERE campaign_id = 'needs' AND passed AND attempts = 1"))
                    .isEqualTo(5);
        }
    }
}
