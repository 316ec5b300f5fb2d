package dev.assay.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.error.ErrorCode;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementTest {

    @Test
    void shouldLetACellRunAloneThreeTimesWhenAWorkerDiedWithIt() {
        assertThat(IntStream.rangeClosed(0, 5).mapToObj(Placement::after))
                .containsExactly(
                        Placement.BESIDE_OTHERS,
                        Placement.ALONE,
                        Placement.ALONE,
                        Placement.ALONE,
                        Placement.NOWHERE,
                        Placement.NOWHERE);
        assertThat(Placement.LOST.code()).isEqualTo(ErrorCode.WORKER_LOST);
        assertThat(Placement.LOST.message()).startsWith("4 workers died while they ran the cell, the last 3 ");
    }
}
