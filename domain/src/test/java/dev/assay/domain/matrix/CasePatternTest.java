package dev.assay.domain.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CasePatternTest {

    /**
     * One case. Its cells are written as pages show them, the trials of each branch after a space: + passed, x failed, ! errored,
     * o no evidence, - skipped, . open, T chosen by a tie and failed, F chosen by a fallback and passed.
     */
    private static List<CasePattern> of(String cells, @Nullable Integer branch) {
        String[] branches = cells.split(" ");
        ResultMatrix matrix = new ResultMatrix(1, branches.length, branches[0].length());
        for (int b = 0; b < branches.length; b++) {
            for (int trial = 0; trial < matrix.trials(); trial++) {
                matrix.put(trial * branches.length + b, new byte[] {cell(branches[b].charAt(trial))});
            }
        }
        return Arrays.stream(CasePattern.values())
                .filter(pattern -> pattern.positions(matrix, branch).count() == 1)
                .toList();
    }

    private static byte cell(char sign) {
        return (byte)
                switch (sign) {
                    case '+' -> CellState.PASSED.code();
                    case 'x' -> CellState.FAILED.code();
                    case '!' -> CellState.ERRORED.code();
                    case 'o' -> CellState.NO_EVIDENCE.code();
                    case '-' -> CellState.SKIPPED.code();
                    case '.' -> CellState.OPEN.code();
                    case 'T' -> CellState.FAILED.code() | ResultMatrix.CHOSEN | ResultMatrix.TIED;
                    case 'F' ->
                        CellState.PASSED.code() | ResultMatrix.CHOSEN | ResultMatrix.FALLBACK | ResultMatrix.COMPLETE;
                    default -> throw new IllegalArgumentException(String.valueOf(sign));
                };
    }

    @ParameterizedTest
    @CsvSource({
        "++ ++, ''",
        ".. .., ''",
        "o- .., ''",
        "+. .x, FAILING",
        "+x ++, FAILING FLAKY",
        "+! ++, FAILING ERRORED",
        "+x! +++, FAILING FLAKY ERRORED",
        "++ xx, FAILING DISAGREEING",
        "++ x., FAILING DISAGREEING",
        "+o xx, FAILING",
        "++ !!, FAILING DISAGREEING ERRORED",
        "+F ++, UNDECIDED",
        "+T ++, FAILING FLAKY UNDECIDED",
    })
    void shouldSayWhatTheCellsOfACaseCameTo(String cells, String patterns) {
        assertThat(of(cells, null).stream().map(CasePattern::name))
                .isEqualTo(Arrays.stream(patterns.split(" "))
                        .filter(name -> !name.isEmpty())
                        .toList());
    }

    @Test
    void shouldLookAtOneBranchWhenOneIsNamed() {
        assertThat(of("++ x!", 0)).isEmpty();
        assertThat(of("++ x!", 1)).containsExactly(CasePattern.FAILING, CasePattern.ERRORED);
    }

    @Test
    void shouldSayWhereTheCasesStand() {
        ResultMatrix matrix = new ResultMatrix(4, 2, 3);
        matrix.put((2 * 4 + 1) * 2, new byte[] {3});
        matrix.put((1 * 4 + 3) * 2 + 1, new byte[] {4});

        assertThat(CasePattern.FAILING.positions(matrix, null)).containsExactly(1, 3);
        assertThat(CasePattern.ERRORED.positions(matrix, null)).containsExactly(3);
    }

    @Test
    void shouldKnowItsWord() {
        assertThat(CasePattern.named("flaky")).isEqualTo(CasePattern.FLAKY);
        assertThat(CasePattern.named("FLAKY")).isNull();
    }
}
