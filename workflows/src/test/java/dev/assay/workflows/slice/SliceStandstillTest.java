package dev.assay.workflows.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.CampaignInMemory.Script;
import dev.assay.workflows.engine.Engine;
import dev.assay.workflows.engine.SliceInputs;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.SliceResult;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A slice whose activities achieve nothing ends long before it has used up its activities. */
@Timeout(120)
@Tag("slow")
class SliceStandstillTest {

    private static final int WINDOW = 20;
    private static final int PROBES = Standstill.MOST_TRIES - 1;

    private static CampaignInMemory unexplained(int cases, int branches) {
        CampaignInMemory campaign = new CampaignInMemory(cases, branches);
        campaign.unexplained = true;
        campaign.run();
        return campaign;
    }

    @Test
    void shouldEndAfterAFewBatchesWhenEveryCellComesBackForNoReason() {
        CampaignInMemory campaign = unexplained(100, 1);
        campaign.cellScript = (branch, trial, attempt) -> 0;
        try (Engine engine = new Engine(campaign)) {
            Instant begin = Instant.now();
            SliceResult result = engine.run(SliceInputs.of(campaign, 100, WINDOW, WINDOW));

            assertThat(result).isEqualTo(new SliceResult(0, false, false, Pace.UNKNOWN));
            assertThat(campaign.batches()).hasSize(WINDOW + PROBES);
            assertThat(Duration.between(begin, Instant.now()))
                    .as("waits of 1, 2 and 4 s, though other trials might be tried at once")
                    .isGreaterThan(Duration.ofSeconds(7));
        }
    }

    @Test
    void shouldEndAfterAFewBatchesWhenNoTrialCanBeSelected() {
        CampaignInMemory campaign = unexplained(10, 1);
        campaign.selectionScript = (branch, trial, attempt) -> 100;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 10, WINDOW, WINDOW));

            assertThat(result).isEqualTo(new SliceResult(0, false, false, result.pace()));
            assertThat(campaign.selections()).hasSize(10 + PROBES);
        }
    }

    @Test
    void shouldEndWithEveryOtherTrialDoneWhenOneComesBackForNoReason() {
        CampaignInMemory campaign = unexplained(100, 2);
        campaign.cellTime = Duration.ofMillis(20);
        campaign.cellScript = (branch, trial, attempt) -> trial == 7 && branch == 1 ? 100 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 200, WINDOW, WINDOW));

            assertThat(result).isEqualTo(new SliceResult(99, false, false, result.pace()));
            assertThat(campaign.batches())
                    .as("2 for each trial, and more for one")
                    .hasSizeLessThan(200 + 40);
        }
    }

    @Test
    void shouldGoOnWithTheWholeWindowWhenATryFinishesACell() {
        CampaignInMemory campaign = unexplained(60, 1);
        campaign.cellTime = Duration.ofMillis(50);
        campaign.cellScript = (branch, trial, attempt) -> attempt == 1 && trial < WINDOW ? 1_000 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 60, WINDOW, WINDOW));

            assertThat(result.trialsDone()).isEqualTo(60);
            assertThat(campaign.batches()).hasSize(60 + WINDOW);
            assertThat(campaign.mostCellsInFlight()).isGreaterThan(WINDOW / 2);
        }
    }
}
