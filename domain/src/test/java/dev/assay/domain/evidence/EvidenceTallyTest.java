package dev.assay.domain.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.assay.domain.evidence.CaseEvidence.Redraws;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.statistics.CaseCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EvidenceTallyTest {

    private static final TrialGrid ONE = new TrialGrid(1, 1);

    /** What a draw may be. */
    private enum Draw {
        PASSED(OutcomeStatus.COMPLETED, TrialVerdict.PASSED),
        FAILED(OutcomeStatus.COMPLETED, TrialVerdict.FAILED),
        LIMIT(OutcomeStatus.LIMIT, TrialVerdict.FAILED),
        TIMED_OUT(OutcomeStatus.TIMED_OUT, TrialVerdict.ERROR),
        REJECTED(OutcomeStatus.MODEL_ERROR, TrialVerdict.ERROR),
        UNANSWERED(OutcomeStatus.MODEL_ERROR, TrialVerdict.PROVIDER_ERROR),
        UNSCORED(OutcomeStatus.COMPLETED, TrialVerdict.NO_EVIDENCE),
        NOT_NEEDED(OutcomeStatus.NOT_NEEDED, TrialVerdict.NO_EVIDENCE),
        CANCELLED(OutcomeStatus.CANCELLED, TrialVerdict.NO_EVIDENCE),
        SKIPPED(OutcomeStatus.BUDGET_SKIPPED, TrialVerdict.NO_EVIDENCE);

        private final OutcomeStatus status;
        private final TrialVerdict verdict;

        Draw(OutcomeStatus status, TrialVerdict verdict) {
            this.status = status;
            this.verdict = verdict;
        }

        private void addTo(EvidenceTally tally, int ordinal) {
            tally.add(ordinal, status, verdict);
        }
    }

    private static CaseEvidence once(Draw draw) {
        return drawn(ErrorTreatment.PROVIDER, draw, List.of());
    }

    private static CaseEvidence after(boolean firstPassed, Draw last) {
        return drawn(ErrorTreatment.PROVIDER, last, List.of(new Redraw(0, 0, firstPassed, null)));
    }

    private static CaseEvidence drawn(ErrorTreatment errors, Draw last, List<Redraw> redraws) {
        EvidenceTally tally = new EvidenceTally(ONE, errors, redraws);
        last.addTo(tally, 0);
        return tally.cases().getFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "PASSED,     1, 0, 0, 0, 0, 0",
        "FAILED,     0, 1, 0, 0, 0, 0",
        "LIMIT,      0, 1, 0, 0, 0, 0",
        "TIMED_OUT,  0, 0, 1, 0, 0, 0",
        "REJECTED,   0, 0, 1, 0, 0, 0",
        "UNANSWERED, 0, 0, 0, 1, 0, 0",
        "UNSCORED,   0, 0, 0, 0, 1, 0",
        "NOT_NEEDED, 0, 0, 0, 0, 0, 1",
        "CANCELLED,  0, 0, 0, 0, 0, 0",
        "SKIPPED,    0, 0, 0, 0, 0, 0"
    })
    void shouldCountEachEndInItsPlace(
            Draw draw, int passed, int failed, int errors, int unanswered, int unscored, int notNeeded) {
        assertThat(once(draw))
                .isEqualTo(new CaseEvidence(1, passed, failed, errors, unanswered, unscored, notNeeded, Redraws.NONE));
    }

    @ParameterizedTest
    @CsvSource({
        "true,  PASSED,     0, 0", "true,  FAILED,     1, 0", "true,  LIMIT,      1, 0", "true,  TIMED_OUT,  1, 0",
        "true,  UNANSWERED, 0, 0", "true,  UNSCORED,   0, 0", "true,  NOT_NEEDED, 0, 0", "true,  CANCELLED,  0, 0",
        "false, PASSED,     0, 1", "false, FAILED,     0, 0", "false, LIMIT,      0, 0", "false, TIMED_OUT,  0, 0",
        "false, UNANSWERED, 0, 0", "false, UNSCORED,   0, 0", "false, NOT_NEEDED, 0, 0", "false, SKIPPED,    0, 0"
    })
    void shouldCountTheFirstDrawWhateverTheLastOneSays(boolean firstPassed, Draw last, int worse, int better) {
        assertThat(after(firstPassed, last))
                .isEqualTo(new CaseEvidence(
                        1, firstPassed ? 1 : 0, firstPassed ? 0 : 1, 0, 0, 0, 0, new Redraws(1, worse, better)));
    }

    /** An error contradicts a draw that passed where it counts as a failure. */
    @ParameterizedTest
    @CsvSource({
        "PROVIDER, TIMED_OUT, 1", "PROVIDER, UNANSWERED, 0",
        "FAIL,     TIMED_OUT, 1", "FAIL,     UNANSWERED, 1",
        "UNKNOWN,  TIMED_OUT, 0", "UNKNOWN,  UNANSWERED, 0"
    })
    void shouldContradictByAnErrorOnlyWhereThatIsAFailure(ErrorTreatment errors, Draw last, int worse) {
        CaseEvidence passed = drawn(errors, last, List.of(new Redraw(0, 0, true, null)));
        CaseEvidence failed = drawn(errors, last, List.of(new Redraw(0, 0, false, null)));

        assertThat(passed.redraws()).isEqualTo(new Redraws(1, worse, 0));
        assertThat(failed.redraws()).isEqualTo(new Redraws(1, 0, 0));
        assertThat(passed.counts(errors)).isEqualTo(new CaseCounts(1, 0, 1));
        assertThat(passed.bounds(errors)).isEqualTo(new CaseCounts(1 - worse, worse, 1));
    }

    /** A cell whose first draw is its outcome now has no redraw: what was there before were errors, or nothing. */
    @ParameterizedTest
    @EnumSource(names = {"PASSED", "FAILED"})
    void shouldCountAsDrawnOnceWhenAnErrorOrNoEvidenceWasDrawnAgain(Draw draw) {
        CaseEvidence again = once(draw);

        assertThat(again.redraws()).isEqualTo(Redraws.NONE);
        assertThat(again.bounds(ErrorTreatment.PROVIDER))
                .isEqualTo(again.counts(ErrorTreatment.PROVIDER))
                .isEqualTo(new CaseCounts(draw == Draw.PASSED ? 1 : 0, 0, 1));
    }

    @Test
    void shouldKeepTheFirstDrawWhenTheCellHasNoOutcomeNow() {
        Redraw open = new Redraw(0, 1, true, 0.5);
        EvidenceTally tally = new EvidenceTally(new TrialGrid(2, 1), ErrorTreatment.PROVIDER, List.of(open));
        Draw.FAILED.addTo(tally, 0);

        assertThat(tally.cases())
                .containsExactly(
                        new CaseEvidence(1, 0, 1, 0, 0, 0, 0, Redraws.NONE),
                        new CaseEvidence(1, 1, 0, 0, 0, 0, 0, new Redraws(1, 0, 0)));
        assertThat(tally.withoutOutcome()).containsExactly(open);
        assertThat(tally.outcomes()).isEqualTo(1);
        assertThat(tally.redraw(1)).isEqualTo(open);
        assertThat(tally.redraw(0)).isNull();

        Draw.FAILED.addTo(tally, 1);

        assertThat(tally.withoutOutcome()).isEmpty();
        assertThat(tally.cases().getLast().redraws()).isEqualTo(new Redraws(1, 1, 0));
    }

    @Test
    void shouldCountACopyWhoseCellWasAskedAgainElsewhere() {
        EvidenceTally tally = new EvidenceTally(new TrialGrid(2, 1), ErrorTreatment.PROVIDER, List.of(), List.of(1));
        Draw.FAILED.addTo(tally, 0);
        Draw.FAILED.addTo(tally, 1);

        assertThat(tally.cases())
                .as("counted, and no doubt: later draws are not here")
                .containsExactly(
                        new CaseEvidence(1, 0, 1, 0, 0, 0, 0, Redraws.NONE),
                        new CaseEvidence(1, 0, 1, 0, 0, 0, 0, new Redraws(1, 0, 0)));
    }

    @Test
    void shouldRefuseASecondOutcomeOfACell() {
        EvidenceTally tally = new EvidenceTally(new TrialGrid(3, 2), ErrorTreatment.PROVIDER, List.of());
        Draw.PASSED.addTo(tally, 4);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Draw.FAILED.addTo(tally, 4))
                .withMessage("Trial 2 of case 1 has two outcomes");
    }

    @Test
    void shouldGiveEachBranchItsOwnRedraws() {
        Redraw first = new Redraw(0, 3, true, null);
        Redraw second = new Redraw(1, 3, false, null);
        Draws draws = new Draws(List.of(first, second), 2);

        assertThat(draws.ofBranch(1)).containsExactly(second);
        assertThat(draws.ofBranch(2)).isEmpty();
        assertThat(Draws.ONCE.redraws()).isEmpty();
    }

    /** Histories of random draws, added in random order, against a recount of the histories themselves. */
    @ParameterizedTest
    @EnumSource
    void shouldEqualARecountOfTheDrawsInWhateverOrderTheyAreAdded(ErrorTreatment errors) {
        Random random = new Random(28);
        for (int round = 0; round < 300; round++) {
            TrialGrid grid = new TrialGrid(1 + random.nextInt(5), 1 + random.nextInt(5));
            List<List<Draw>> histories = IntStream.range(0, grid.size())
                    .mapToObj(any -> history(random))
                    .toList();
            List<Redraw> redraws = new ArrayList<>(IntStream.range(0, grid.size())
                    .mapToObj(ordinal -> redraws(ordinal, histories.get(ordinal)))
                    .flatMap(List::stream)
                    .toList());
            Collections.shuffle(redraws, random);
            EvidenceTally tally = new EvidenceTally(grid, errors, redraws);
            List<Integer> ordinals =
                    new ArrayList<>(IntStream.range(0, grid.size()).boxed().toList());
            Collections.shuffle(ordinals, random);
            ordinals.stream()
                    .filter(ordinal -> !histories.get(ordinal).isEmpty())
                    .forEach(ordinal -> histories.get(ordinal).getLast().addTo(tally, ordinal));

            for (int i = 0; i < grid.cases(); i++) {
                check(tally, i, grid, histories, errors);
            }
        }
    }

    private static List<Draw> history(Random random) {
        Draw[] all = Draw.values();
        return IntStream.range(0, random.nextInt(5))
                .mapToObj(any -> all[random.nextInt(all.length)])
                .toList();
    }

    private static List<Redraw> redraws(int ordinal, List<Draw> history) {
        return history.stream()
                .limit(Math.max(0, history.size() - 1))
                .filter(draw -> draw.verdict.isScored())
                .limit(1)
                .map(draw -> new Redraw(0, ordinal, draw == Draw.PASSED, null))
                .toList();
    }

    private static void check(
            EvidenceTally tally, int caseIndex, TrialGrid grid, List<List<Draw>> histories, ErrorTreatment errors) {
        int passed = 0;
        int unknown = 0;
        int surelyPassed = 0;
        int possiblyPassed = 0;
        for (int trial = 1; trial <= grid.trials(); trial++) {
            int ordinal = grid.ordinal(caseIndex, trial);
            TrialVerdict first = first(histories.get(ordinal), errors);
            TrialVerdict last = last(histories.get(ordinal), errors);
            passed += first == TrialVerdict.PASSED ? 1 : 0;
            unknown += first == TrialVerdict.NO_EVIDENCE ? 1 : 0;
            surelyPassed += first == TrialVerdict.PASSED && last != TrialVerdict.FAILED ? 1 : 0;
            possiblyPassed += first != TrialVerdict.FAILED || last == TrialVerdict.PASSED ? 1 : 0;
        }
        CaseEvidence evidence = tally.cases().get(caseIndex);

        assertThat(evidence.counts(errors)).isEqualTo(new CaseCounts(passed, unknown, grid.trials()));
        assertThat(evidence.bounds(errors))
                .as("%s of case %d", histories, caseIndex)
                .isEqualTo(new CaseCounts(surelyPassed, possiblyPassed - surelyPassed, grid.trials()));
    }

    private static TrialVerdict first(List<Draw> history, ErrorTreatment errors) {
        return history.stream()
                .map(draw -> draw.verdict)
                .filter(TrialVerdict::isScored)
                .findFirst()
                .orElseGet(() -> last(history, errors));
    }

    private static TrialVerdict last(List<Draw> history, ErrorTreatment errors) {
        return history.isEmpty() ? TrialVerdict.NO_EVIDENCE : errors.seen(history.getLast().verdict);
    }
}
