package dev.assay.domain.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.evidence.CaseEvidence.Redraws;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.statistics.CaseCounts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CaseEvidenceTest {

    /** Of 12 trials: 3 passed, 2 failed, 1 error, 2 provider errors, 1 unscored, 1 not needed, 2 missing. */
    private static final CaseEvidence MIXED = new CaseEvidence(12, 3, 2, 1, 2, 1, 1, Redraws.NONE);

    @Test
    void shouldTellAskedMissingAndErrorsApart() {
        assertThat(MIXED.asked()).isEqualTo(9);
        assertThat(MIXED.missing()).isEqualTo(2);
        assertThat(MIXED.allErrors()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"PROVIDER, 6, 2", "FAIL, 4, 0", "UNKNOWN, 7, 3"})
    void shouldCountErrorsAsThePolicySays(ErrorTreatment policy, int unknown, int unknownErrors) {
        assertThat(MIXED.counts(policy)).isEqualTo(new CaseCounts(3, unknown, 12));
        assertThat(MIXED.bounds(policy)).isEqualTo(new CaseCounts(3, unknown, 12));
        assertThat(MIXED.unknownErrors(policy)).isEqualTo(unknownErrors);
    }

    /** Five passed first, two of them failed last; three failed first, one of them passed last. */
    @ParameterizedTest
    @EnumSource
    void shouldOnlyWidenTheBoundsWhenDrawsDisagree(ErrorTreatment policy) {
        CaseEvidence redrawn = new CaseEvidence(8, 5, 3, 0, 0, 0, 0, new Redraws(4, 2, 1));

        assertThat(redrawn.counts(policy)).isEqualTo(new CaseCounts(5, 0, 8));
        assertThat(redrawn.bounds(policy)).isEqualTo(new CaseCounts(3, 3, 8));
        assertThat(redrawn.bounds(policy).lowest()).as("the worse of both").isEqualTo(3 / 8.0);
        assertThat(redrawn.bounds(policy).highest()).as("the better of both").isEqualTo(6 / 8.0);
    }

    @Test
    void shouldCountAsIfDrawnOnceWhenDrawsAgree() {
        CaseEvidence redrawn = new CaseEvidence(8, 5, 3, 0, 0, 0, 0, new Redraws(4, 0, 0));

        assertThat(redrawn.bounds(ErrorTreatment.PROVIDER)).isEqualTo(redrawn.counts(ErrorTreatment.PROVIDER));
    }

    @Test
    void shouldTakePointsFromFirstDrawsAndEndsFromBoth() {
        CaseEvidence first = new CaseEvidence(10, 8, 2, 0, 0, 0, 0, Redraws.NONE);
        CaseEvidence better = new CaseEvidence(10, 8, 2, 0, 0, 0, 0, new Redraws(2, 0, 2));
        CaseEvidence worse = new CaseEvidence(10, 8, 2, 0, 0, 0, 0, new Redraws(2, 2, 0));

        for (Proportion redrawn : List.of(rate(better), rate(worse))) {
            assertThat(redrawn.value()).isCloseTo(0.8, within(1e-12));
            assertThat(redrawn.known()).isCloseTo(0.8, within(1e-12));
            assertThat(redrawn.successes()).isEqualTo(24);
            assertThat(redrawn.unknown()).isZero();
        }
        assertThat(rate(better).low()).isEqualTo(rate(first).low());
        assertThat(rate(better).high()).isEqualTo(1);
        assertThat(rate(worse).low()).isLessThan(rate(first).low());
        assertThat(rate(worse).high()).isEqualTo(rate(first).high());
    }

    private static Proportion rate(CaseEvidence one) {
        return new BranchEvidence(List.of(one, one, one), ErrorTreatment.PROVIDER, null).trialRate();
    }

    @Test
    void shouldHaveNoKnownRateWhenNothingIsKnown() {
        CaseEvidence skipped = new CaseEvidence(4, 0, 0, 0, 3, 0, 1, Redraws.NONE);
        CaseEvidence half = new CaseEvidence(4, 1, 1, 0, 0, 0, 2, Redraws.NONE);

        assertThat(new BranchEvidence(List.of(skipped), ErrorTreatment.PROVIDER, null)
                        .trialRate()
                        .known())
                .isNull();
        Proportion mean = new BranchEvidence(List.of(skipped, half), ErrorTreatment.PROVIDER, null).trialRate();
        assertThat(mean.known()).as("only cases with evidence").isEqualTo(0.5);
        assertThat(mean.value()).as("what is certain").isEqualTo(0.125);
        assertThat(mean.asked()).isEqualTo(5);
    }

    @Test
    void shouldGroupCasesWhenTheyAreRelated() {
        List<CaseEvidence> cases = List.of(one(0), one(0), one(5), one(5));
        Proportion single = new BranchEvidence(cases, ErrorTreatment.PROVIDER, null).trialRate();
        Proportion grouped =
                new BranchEvidence(cases, ErrorTreatment.PROVIDER, List.of("a", "a", "b", "b")).trialRate();

        assertThat(grouped.value()).isEqualTo(single.value());
        assertThat(grouped.low()).isLessThan(single.low());
        assertThat(grouped.high()).isGreaterThan(single.high());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BranchEvidence(cases, ErrorTreatment.PROVIDER, List.of("a")))
                .withMessage("1 groups of 4 cases");
    }

    private static CaseEvidence one(int passed) {
        return new CaseEvidence(5, passed, 5 - passed, 0, 0, 0, 0, Redraws.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0, 0, 0",
        "2, 2, 1, 0, 0, 0, 0",
        "2, -1, 0, 0, 0, 0, 0",
        "2, 0, -1, 0, 0, 0, 0",
        "2, 0, 0, -1, 0, 0, 0",
        "2, 0, 0, 0, -1, 0, 0",
        "2, 0, 0, 0, 0, -1, 0",
        "2, 0, 0, 0, 0, 0, -1"
    })
    void shouldRefuseWhatIsNoEvidence(
            int planned, int passed, int failed, int errors, int providerErrors, int unscored, int notNeeded) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CaseEvidence(
                        planned, passed, failed, errors, providerErrors, unscored, notNeeded, Redraws.NONE))
                .withMessageEndingWith("make no evidence");
    }

    @Test
    void shouldRefuseMoreRedrawsThanDraws() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Redraws(1, 1, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CaseEvidence(2, 1, 1, 0, 0, 0, 0, new Redraws(2, 2, 0)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CaseEvidence(2, 1, 1, 0, 0, 0, 0, new Redraws(2, 0, 2)));
    }
}
