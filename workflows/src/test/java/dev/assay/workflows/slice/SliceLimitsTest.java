package dev.assay.workflows.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.SliceInputs;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;
import org.junit.jupiter.api.Test;

class SliceLimitsTest {

    private static final Pace FAST = new Pace(100, 1);

    private static SliceLimits limits(int branches, int maxConcurrent, int window) {
        return limits(BatchRule.PACED, branches, maxConcurrent, window);
    }

    private static SliceLimits limits(BatchRule rule, int branches, int maxConcurrent, int window) {
        return new SliceLimits(SliceInputs.of(new CampaignInMemory(10, branches), 10_000, maxConcurrent, window), rule);
    }

    private static SliceLimits limitsOf(int cellsTotal, String trialQueue) {
        Slice slice = SliceInputs.of(new CampaignInMemory(10, 1), cellsTotal, 100, 100);
        return new SliceLimits(
                new Slice(
                        slice.campaignId(),
                        slice.epoch(),
                        slice.number(),
                        slice.trials(),
                        slice.labels(),
                        slice.branches(),
                        trialQueue,
                        cellsTotal,
                        slice.maxConcurrent(),
                        slice.window(),
                        slice.pace(),
                        slice.judges(),
                        slice.stops()),
                BatchRule.PACED);
    }

    @Test
    void shouldSizeBatchesByTheWindowWhenItIsSmallerThanTheSpeedAsksFor() {
        assertThat(limits(1, 100, 100).batchTrials(FAST, 1_000)).isEqualTo(50);
        assertThat(limits(4, 100, 100).batchTrials(FAST, 1_000)).isEqualTo(25);
        assertThat(limits(BatchRule.HALF, 4, 100, 3).batchTrials(FAST, 1_000)).isEqualTo(1);
    }

    @Test
    void shouldTakeAsManyTrialsAsTheSpeedAsksForUnlessTheRunBeganWithHalves() {
        assertThat(limits(BatchRule.PACED, 1, 4, 4).batchTrials(FAST, 1_000)).isEqualTo(40);
        assertThat(limits(BatchRule.HALF, 1, 4, 4).batchTrials(FAST, 1_000)).isEqualTo(2);
        assertThat(limits(BatchRule.HALF, 1, 1, 1).batchTrials(FAST, 1_000)).isEqualTo(1);
        assertThat(limits(BatchRule.HALF, 1, 4, 4).selectionTrials(FAST)).isEqualTo(4 * 2);
    }

    @Test
    void shouldHaveRoomForTwoBatchesOfFastCellsUnlessTheRunBeganWithHalves() {
        assertThat(limits(BatchRule.PACED, 1, 4, 4).fits(FAST, 40, 40)).isTrue();
        assertThat(limits(BatchRule.PACED, 1, 4, 4).fits(FAST, 41, 40)).isFalse();
        assertThat(limits(BatchRule.PACED, 1, 4, 4).fits(Pace.UNKNOWN, 4, 1)).isFalse();
        assertThat(limits(BatchRule.HALF, 1, 4, 4).fits(FAST, 4, 2)).isFalse();
    }

    @Test
    void shouldTakeFewTrialsOrNoneWhenLittleIsKnownOrDue() {
        assertThat(limits(1, 100, 100).batchTrials(Pace.UNKNOWN, 1_000)).isEqualTo(10);
        assertThat(limits(1, 100, 100).batchTrials(FAST, 7)).isEqualTo(7);
        assertThat(limits(1, 100, 100).batchTrials(FAST, 0)).isZero();
    }

    @Test
    void shouldLetFourBatchesShareASelectionUnlessAModelJudgesOrTheCampaignIsSmall() {
        assertThat(limits(1, 100, 100).selectsAtOnce()).isFalse();
        assertThat(limits(1, 100, 100).selectionTrials(FAST)).isEqualTo(4 * 50);
        assertThat(limits(1, 100, 100).selectionTrials(Pace.UNKNOWN)).isEqualTo(4 * 10);
        assertThat(limitsOf(500, TaskQueues.ORCHESTRATION).selectsAtOnce()).isTrue();
        assertThat(limitsOf(100_000, TaskQueues.provider("openai")).selectsAtOnce())
                .isTrue();
    }

    @Test
    void shouldFitBatchesIntoTheWindowWhenCellsAreInFlight() {
        SliceLimits limits = limits(2, 10, 30);

        assertThat(limits.fits(Pace.UNKNOWN, 20, 5)).isTrue();
        assertThat(limits.fits(Pace.UNKNOWN, 21, 5)).isFalse();
        assertThat(limits.fits(Pace.UNKNOWN, 0, 50)).as("nothing in flight").isTrue();
    }

    @Test
    void shouldRoundTimesUpAndBoundWaitsWhenATrialIsHandedBack() {
        assertThat(SliceLimits.dueMs(1_000, 0)).isEqualTo(1_100);
        assertThat(SliceLimits.dueMs(1_000, 100)).isEqualTo(1_100);
        assertThat(SliceLimits.dueMs(1_000, 101)).isEqualTo(1_200);
        assertThat(SliceLimits.dueMs(1_000, 3_600_000)).isEqualTo(61_000);
    }
}
