package dev.assay.activities.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaign.CellKind;
import dev.assay.store.cell.CellKey;
import org.junit.jupiter.api.Test;

final class RunningCellsTest {

    private final RunningCells cells = new RunningCells();

    private static CellKey key(int ordinal) {
        return new CellKey("c", ordinal, CellKind.BRANCH, 0);
    }

    @Test
    void shouldLetTheRequestUnderWayGoOnAndRefuseTheNextWhenTheWorkerDrains() throws Exception {
        RunningCell cell = cells.take(key(0), 1).orElseThrow();
        cell.callBegins();

        cells.drain();

        assertThat(cell.stopped()).as("its request goes on").isNull();
        assertThatThrownBy(cell::callBegins).isInstanceOf(InterruptedException.class);
        assertThatCode(cell::recordBegins).doesNotThrowAnyException();
    }

    @Test
    void shouldTakeNoCellWhenTheWorkerDrains() {
        cells.drain();

        assertThat(cells.take(key(0), 1)).isEmpty();
        assertThat(cells.isEmpty()).isTrue();
    }
}
