package dev.assay.domain.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.statistics.sequential.LookErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EarlyStopTest {

    /** Trials are revealed one by one, only of open cases, until the branch is settled: the full run says the same. */
    @Test
    void shouldGiveTheVerdictOfTheFullRunWhenItStopsAsSoonAsItIsSettled() {
        Random random = new Random(5);
        long saved = 0;
        for (int round = 0; round < 10_000; round++) {
            boolean[][] passes = grid(random);
            double pass = random.nextInt(6) / 5.0;
            double suite = random.nextInt(6) / 5.0;
            Verdict full = SettledBranch.of(counts(passes, lengths(passes)), pass, suite)
                    .verdict();

            int[] run = new int[passes.length];
            SettledBranch branch = SettledBranch.of(counts(passes, run), pass, suite);
            while (branch.verdict() == Verdict.INCONCLUSIVE) {
                run[branch.open().get(random.nextInt(branch.open().size()))]++;
                branch = SettledBranch.of(counts(passes, run), pass, suite);
            }

            assertThat(branch.verdict()).isEqualTo(full);
            assertThat(branch.open()).isEmpty();
            for (int i = 0; i < run.length; i++) {
                saved += passes[i].length - run[i];
            }
        }
        assertThat(saved).isPositive();
    }

    /** The true rate is the threshold, so that every verdict is wrong on one side: a look after each of ten rounds. */
    @ParameterizedTest
    @CsvSource({"0.9, 28, 0", "0.9, 28, 0.5", "0.5, 10, 0.3"})
    void shouldBeWrongNoMoreOftenThanItSaysWhenTheRateIsTheThreshold(double rate, int cases, double icc) {
        SplittableRandom random = new SplittableRandom(6);
        LookErrors errors = LookErrors.of(0.05, 10, List.of());
        int wrong = 0;
        for (int run = 0; run < 4_000; run++) {
            wrong += isDecided(random, rate, cases, icc, errors) ? 1 : 0;
        }
        assertThat(wrong / 4_000.0).isLessThanOrEqualTo(errors.bound());
    }

    /** These cases, whose mean rate is exactly the threshold: half above it, half as far below. */
    private static boolean isDecided(SplittableRandom random, double rate, int cases, double icc, LookErrors errors) {
        double apart = icc * Math.min(rate, 1 - rate);
        int passed = 0;
        for (int round = 1; round <= errors.levels().size(); round++) {
            for (int i = 0; i < cases; i++) {
                passed += random.nextDouble() < rate + (i % 2 == 0 ? apart : -apart) ? 1 : 0;
            }
            double level = errors.levels().get(round - 1);
            if (SureLook.verdict(passed, cases * round, rate, level) != Verdict.INCONCLUSIVE) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldCountMissingEvidenceAgainstEitherVerdictWhenLooking() {
        assertThat(SureLook.verdict(100, 0, 100, 0.9, 0.01)).isEqualTo(Verdict.PASS);
        assertThat(SureLook.verdict(90, 10, 100, 0.9, 0.01)).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(SureLook.verdict(10, 0, 100, 0.9, 0.01)).isEqualTo(Verdict.FAIL);
        assertThat(SureLook.verdict(10, 85, 100, 0.9, 0.01)).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @ParameterizedTest
    @CsvSource({
        // counted verdict, agreement, errors of 100, minAgreement, maxErrorRate, verdict, reasons
        "PASS, 0.95, 0, 0.9, 1, PASS, ''",
        "PASS, 0.85, 0, 0.9, 1, INCONCLUSIVE, UNREPEATABLE",
        "PASS, , 0, 0.9, 1, INCONCLUSIVE, UNREPEATABLE",
        "PASS, , 0, , 1, PASS, ''",
        "FAIL, 0.5, 20, , 0.1, INCONCLUSIVE, ERRORS",
        "FAIL, 0.5, 10, , 0.1, FAIL, ''",
        "FAIL, 0.5, 20, 0.9, 0.1, INCONCLUSIVE, UNREPEATABLE ERRORS",
        "INCONCLUSIVE, , 0, , 1, INCONCLUSIVE, MISSING_EVIDENCE",
        "INCONCLUSIVE, , 90, 0.9, 0.1, INCONCLUSIVE, MISSING_EVIDENCE ERRORS",
    })
    void shouldSayWhyWhenADemandIsNotMet(
            Verdict counted,
            @Nullable Double agreement,
            int errors,
            @Nullable Double minAgreement,
            double maxErrorRate,
            Verdict verdict,
            String reasons) {
        GateDemands demands = new GateDemands(minAgreement, ErrorTreatment.FAIL, maxErrorRate);

        GateDecision one = new GateDecision(
                counted, counted == Verdict.INCONCLUSIVE ? List.of(GateReason.MISSING_EVIDENCE) : List.of());

        GateDecision decision = Gate.together(List.of(one)).meeting(demands, agreement, errors / 100.0);

        assertThat(decision.verdict()).isEqualTo(verdict);
        assertThat(decision.reasons().stream().map(GateReason::name).toList())
                .isEqualTo(reasons.isEmpty() ? List.of() : List.of(reasons.split(" ")));
    }

    @Test
    void shouldHaveAReasonExactlyWhenNothingIsDecidedByTwoGatesTogether() {
        List<GateDecision> decisions = List.of(
                GateDecision.ofLook(Verdict.PASS),
                GateDecision.ofLook(Verdict.FAIL),
                GateDecision.ofLook(Verdict.INCONCLUSIVE),
                new GateDecision(Verdict.INCONCLUSIVE, List.of(GateReason.ERRORS)),
                Gate.beside(new PairedRates(List.of(), List.of()), 0.1, new Gate.Doubt(0, 0, 0)));
        for (GateDecision one : decisions) {
            for (GateDecision other : decisions) {
                GateDecision both = one.and(other);

                assertThat(both).isEqualTo(other.and(one));
                assertThat(both.verdict()).isEqualTo(Verdict.ofAll(List.of(one.verdict(), other.verdict())));
                assertThat(both.reasons().isEmpty()).isEqualTo(both.verdict() != Verdict.INCONCLUSIVE);
            }
        }
        assertThat(decisions.getLast().reasons()).containsExactly(GateReason.NO_SHARED_CASES);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GateDecision(Verdict.PASS, List.of(GateReason.ERRORS)));
        assertThatIllegalArgumentException().isThrownBy(() -> new GateDecision(Verdict.INCONCLUSIVE, List.of()));
    }

    private static boolean[][] grid(Random random) {
        boolean[][] passes = new boolean[1 + random.nextInt(6)][];
        double rate = random.nextDouble();
        for (int i = 0; i < passes.length; i++) {
            passes[i] = new boolean[1 + random.nextInt(5)];
            for (int trial = 0; trial < passes[i].length; trial++) {
                passes[i][trial] = random.nextDouble() < rate;
            }
        }
        return passes;
    }

    private static int[] lengths(boolean[][] passes) {
        int[] lengths = new int[passes.length];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = passes[i].length;
        }
        return lengths;
    }

    /** @param run how many trials of each case have run; the others are unknown */
    private static List<CaseCounts> counts(boolean[][] passes, int[] run) {
        List<CaseCounts> counts = new ArrayList<>();
        for (int i = 0; i < passes.length; i++) {
            int passed = 0;
            for (int trial = 0; trial < run[i]; trial++) {
                passed += passes[i][trial] ? 1 : 0;
            }
            counts.add(new CaseCounts(passed, passes[i].length - run[i], passes[i].length));
        }
        return counts;
    }
}
