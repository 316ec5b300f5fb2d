package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.store.campaign.StoredCampaign;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator ends the workflow of a campaign in the middle, and a user goes on. */
@Timeout(120)
final class EndInTemporalTest {

    private static final int CELLS = 40;
    private static final String ANSWERED = "SELECT count(*) FROM outcome WHERE campaign_id = 'ended'";

    private static Engine engine;

    @BeforeAll
    static void start() {
        engine = new Engine();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
    }

    @Test
    void shouldGoOnWithoutAskingAgainWhenItIsResumedAfterItsWorkflowWasCancelled() {
        engine.submit("ended", """
            name: ended
            cases: [{id: france, prompt: Capital of France?}]
            branches: [{id: one, kind: scripted, script: {answers: [Paris], delayMs: 50}}]
            trials: %d
            limits: {maxConcurrent: 1}
            """.formatted(CELLS), Map.of());
        await().atMost(Duration.ofSeconds(30)).until(() -> engine.store.count(ANSWERED) >= 3);

        engine.cancelInTemporal("ended");
        StoredCampaign cancelled = engine.await("ended", CampaignState.CANCELLED);

        assertThat(cancelled.failureReason())
                .startsWith("Its workflow was cancelled in Temporal at ")
                .endsWith(" by " + engine.identity() + "; `assay resume ended` goes on.");
        long before = engine.store.count(ANSWERED);
        assertThat(before).isBetween(3L, CELLS - 1L);

        // A workflow that is about to end hears nothing more. A server would see within 25 s that it has gone.
        await().until(() -> !engine.isOpen("ended"));
        engine.store.get(CampaignChanges.class).steer("ended", SteeringVerb.RESUME);
        engine.startOrWake("ended");
        StoredCampaign completed = engine.await("ended", CampaignState.COMPLETED);

        assertThat(completed.failureReason()).isNull();
        assertThat(engine.store.count(ANSWERED)).isEqualTo(CELLS);
        // The call that was in flight when its campaign was cancelled may have been aborted.
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'ended'"))
                .isBetween((long) CELLS, CELLS + 1L);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'ended' AND attempts > 1"))
                .isLessThanOrEqualTo(1);
    }
}
