package dev.assay.domain.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.outcome.OutcomeStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ResultMatrixTest {

    /** 3 cases × 2 branches × 2 trials. */
    private final ResultMatrix matrix = new ResultMatrix(3, 2, 2);

    private final List<Integer> changed = new ArrayList<>();

    private void apply(MatrixEntries entries) {
        changed.clear();
        matrix.apply(entries.bytes(), changed::add);
    }

    private static MatrixEntries cell(int ordinal, int branch, CellState state) {
        MatrixEntries entries = new MatrixEntries();
        entries.cell(ordinal, branch, state);
        return entries;
    }

    @Test
    void shouldPlaceCellsByTrialThenCaseThenBranch() {
        apply(cell(4, 1, CellState.FAILED)); // trial 2 of the second case

        assertThat(changed).containsExactly((1 * 3 + 1) * 2 + 1);
        assertThat(matrix.cells()[9]).isEqualTo((byte) 3);
        assertThat(matrix.finalCells()).isOne();
    }

    @ParameterizedTest
    @CsvSource({
        "COMPLETED, true, 2",
        "COMPLETED, false, 3",
        "COMPLETED, , 6",
        "LIMIT, true, 2",
        "LIMIT, , 6",
        "MODEL_ERROR, false, 4",
        "TIMED_OUT, false, 4",
        "BUDGET_SKIPPED, , 5",
        "CANCELLED, , 7",
    })
    void shouldSayWhatACellCameTo(OutcomeStatus status, Boolean passed, int code) {
        apply(cell(0, 0, CellState.of(status, passed)));

        assertThat(matrix.cells()[0]).isEqualTo((byte) code);
        assertThat(matrix.finalCells()).isEqualTo(status.isFinal() ? 1 : 0);
    }

    @Test
    void shouldChooseAnotherBranchWhenATrialIsSelectedAgain() {
        apply(cell(0, 0, CellState.PASSED));
        MatrixEntries first = new MatrixEntries();
        first.selection(0, 0, true, false, false);
        apply(first);
        assertThat(matrix.cells()).startsWith(2 | 8 | 16, 0);
        assertThat(matrix.completeTrials()).isZero();

        MatrixEntries second = new MatrixEntries();
        second.selection(0, 1, false, true, true);
        apply(second);

        assertThat(matrix.cells()).startsWith((byte) (2 | 128), (byte) (8 | 32 | 128));
        assertThat(changed).containsExactly(0, 1);
        assertThat(matrix.completeTrials()).isOne();
        apply(second);
        assertThat(changed).as("a repeated entry changes nothing").isEmpty();
    }

    @Test
    void shouldOpenCellsWhenNothingIsLeftOfThem() {
        apply(cell(5, 1, CellState.PASSED));
        MatrixEntries selected = new MatrixEntries();
        selected.selection(5, 1, false, false, true);
        apply(selected);
        MatrixEntries reopened = cell(5, 1, CellState.OPEN);
        reopened.selection(5, null, false, false, false);

        apply(reopened);

        assertThat(matrix.cells()).containsOnly(0);
        assertThat(matrix.finalCells()).isZero();
        assertThat(matrix.completeTrials()).isZero();
    }

    @Test
    void shouldLeaveOutTrialsThatItDoesNotHave() {
        apply(cell(6, 0, CellState.PASSED));
        apply(cell(Integer.MAX_VALUE, 1, CellState.PASSED));

        assertThat(matrix.cells()).containsOnly(0);
    }

    @Test
    void shouldFindWhatDiffersFromAnEarlierAndSmallerOne() {
        ResultMatrix later = new ResultMatrix(3, 2, 3);
        later.put(0, new byte[] {2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 9, 9});
        apply(cell(0, 0, CellState.PASSED));

        later.differences(matrix, changed::add);

        assertThat(changed).containsExactly(0, 2, 13);
        assertThat(later.finalCells()).isEqualTo(3);
    }

    @Test
    void shouldRefuseMoreCellsThanItHolds() {
        assertThat(ResultMatrix.isTooLarge(1_000_000, 4, 5)).isFalse();
        assertThatThrownBy(() -> new ResultMatrix(Integer.MAX_VALUE, Integer.MAX_VALUE, 1_000))
                .hasMessageContaining("20000000");
    }
}
