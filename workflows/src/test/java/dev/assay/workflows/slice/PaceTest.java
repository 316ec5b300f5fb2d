package dev.assay.workflows.slice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {

    @Test
    void shouldKeepTheMeanWhenThePastIsMadeLighter() {
        assertThat(new Pace(1_000, 250).weighingAtMost(500)).isEqualTo(new Pace(500, 125));
        assertThat(new Pace(500, 125).weighingAtMost(500)).isEqualTo(new Pace(500, 125));
        assertThat(Pace.UNKNOWN.weighingAtMost(500)).isEqualTo(Pace.UNKNOWN);
    }

    @Test
    void shouldAddCellsAndTimesWhenTwoAreJoined() {
        assertThat(new Pace(2, 3).plus(new Pace(4, 5))).isEqualTo(new Pace(6, 8));
    }
}
