package dev.assay.workflows.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchSizingTest {

    @ParameterizedTest(name = "{0} cells, {1} at once, {2} measured in {3} s: {4}")
    @CsvSource({
        "500, 100, 10, 1.0, 1",
        "501, 100, 0, 0.0, 1",
        "501, 100, 8, 1.0, 32",
        "501, 100, 10, 5.0, 8",
        "501, 100, 10, 100.0, 1",
        "501, 100, 10, 0.0, 50",
        "501, 1000, 10, 0.1, 50",
        "501, 20, 10, 0.1, 10",
        "501, 3, 10, 0.1, 1",
        "501, 1, 10, 0.1, 1",
        "1000000, 100, 1, 3.9, 2"
    })
    void shouldFollowTheMeasuredSpeed(int cellsTotal, int maxConcurrent, long cells, double seconds, int expected) {
        assertThat(BatchSizing.trials(cellsTotal, maxConcurrent, new Pace(cells, seconds)))
                .isEqualTo(expected);
    }
}
