package dev.assay.workflows.slice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SliceSizingTest {

    @ParameterizedTest(name = "{0} trials, {1} branches, {2} at once, {3} s per cell: {4} lanes of {5} trials")
    @CsvSource({
        // A small campaign: slices that can be labelled, and enough of them for what is allowed in flight.
        "100, 2, 20, 1, 3, 50",
        "500, 1, 100, 1, 12, 50",
        // Fast models: large batches, large slices, three of them.
        "100000, 1, 100, 0.125, 3, 10000",
        "100000, 2, 100, 0.125, 3, 6650",
        // Slow models: batches of one; more slices, so that enough cells are in flight.
        "100000, 1, 100, 30, 5, 200",
        "100000, 2, 20, 30, 3, 133",
        "100000, 1, 1000, 60, 12, 400",
        // Many branches: a batch never holds more than the window.
        "100000, 20, 20, 0.125, 3, 19",
        "100000, 499, 1, 30, 3, 1"
    })
    void shouldSuitSpeedAndLimits(
            int trials, int branches, int maxConcurrent, double cellSeconds, int lanes, int sliceTrials) {
        SliceSizing sizing =
                SliceSizing.of(BatchRule.PACED, branches, trials * branches, maxConcurrent, new Pace(1, cellSeconds));

        assertThat(sizing.lanes()).isEqualTo(lanes);
        assertThat(sizing.sliceTrials()).isEqualTo(sliceTrials);
    }

    @Test
    void shouldLeaveActivitiesForRetriesWhenASliceIsFull() {
        SliceSizing sizing = SliceSizing.of(BatchRule.PACED, 3, 300_000, 20, Pace.UNKNOWN);

        assertThat(sizing.sliceTrials() * (3 + 1))
                .isLessThanOrEqualTo(ParallelEvaluationWorkflow.MAX_ACTIVITIES - SliceSizing.RETRY_RESERVE);
    }

    @ParameterizedTest(name = "{0}: {1} at once, {2} s per cell: {3} lanes of {4} trials")
    @CsvSource({
        // From 0.2 s on, both rules say the same.
        "PACED, 100, 0.2, 3, 10000",
        "HALF, 100, 0.2, 3, 10000",
        "PACED, 4, 0.02, 3, 800",
        "HALF, 4, 0.02, 3, 400",
    })
    void shouldGiveFastCellsLargerSlicesUnlessTheRunBeganWithHalves(
            BatchRule rule, int maxConcurrent, double cellSeconds, int lanes, int sliceTrials) {
        SliceSizing sizing = SliceSizing.of(rule, 1, 100_000, maxConcurrent, new Pace(1, cellSeconds));

        assertThat(sizing.lanes()).isEqualTo(lanes);
        assertThat(sizing.sliceTrials()).isEqualTo(sliceTrials);
    }

    @Test
    void shouldDivideTheWindowByTheSlicesThatRun() {
        SliceSizing sizing = new SliceSizing(3, 100, 60, 2);

        assertThat(sizing.window(1)).isEqualTo(60);
        assertThat(sizing.window(2)).isEqualTo(30);
        assertThat(sizing.window(7)).isEqualTo(20);
        assertThat(new SliceSizing(3, 100, 3, 9).window(3))
                .as("room for one trial")
                .isEqualTo(9);
    }

    @Test
    void shouldBeFinishedByTheSmallestBatchesWhileNothingIsMeasured() {
        SliceSizing sizing = SliceSizing.of(BatchRule.PACED, 1, 2_000, 100, Pace.UNKNOWN);

        assertThat(sizing.sliceTrials()).isEqualTo(200);
        assertThat(sizing.sliceTrials(2_000)).as("12 slices on 3 lanes").isEqualTo(167);
    }

    @Test
    void shouldGiveEachLaneEquallyManySlices() {
        SliceSizing sizing = new SliceSizing(3, 5_000, 300, 1);

        assertThat(sizing.sliceTrials(105_000)).isEqualTo(5_000);
        assertThat(sizing.sliceTrials(100_000)).as("21 slices").isEqualTo(4_762);
        assertThat(sizing.sliceTrials(9_000)).isEqualTo(3_000);
        assertThat(sizing.sliceTrials(120)).isEqualTo(100);
        assertThat(sizing.sliceTrials(0)).isEqualTo(100);
    }
}
