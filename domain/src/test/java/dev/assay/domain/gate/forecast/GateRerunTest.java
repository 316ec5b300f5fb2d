package dev.assay.domain.gate.forecast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.NonInferiority;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.statistics.forecast.RerunChances;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.stop.Stopping;
import dev.assay.domain.stop.SureLooks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GateRerunTest {

    private static final int CAMPAIGNS = Integer.getInteger("assay.campaigns", 300);
    private static final int CASES = 28;
    private static final int TRIALS = 5;
    private static final double MAX_DROP = 0.1;

    private final SplittableRandom random = new SplittableRandom(4);

    private static GatePolicy rule(double threshold) {
        return new GatePolicy(
                1, null, List.of(), GateDemands.NONE, new RateRule(RateRule.Metric.TRIAL_RATE, threshold, 0.05), null);
    }

    @Test
    void shouldSayNothingWhenRepeatsAreTooFew() {
        List<CaseCounts> once = Collections.nCopies(100, new CaseCounts(1, 0, 1));

        assertThat(GateRerun.of(rule(0.5), 1, StopRule.NONE, once)).isNull();
        assertThat(GateRerun.of(GatePolicy.DEFAULT, 1, StopRule.NONE, once)).isNull();
        assertThat(GateRerun.beside(new PairedRates(once, once), 0.1)).isNull();
        assertThat(GateRerun.beside(new PairedRates(List.of(), List.of()), 0.1)).isNull();
    }

    @Test
    void shouldBeNearlyCertainFarFromTheThreshold() {
        List<CaseCounts> cases = Collections.nCopies(40, new CaseCounts(9, 0, 10));

        for (StopRule stop : List.of(StopRule.NONE, StopRule.SURE)) {
            RerunChances above = requireNonNull(GateRerun.of(rule(0.6), 1, stop, cases));
            RerunChances below = requireNonNull(GateRerun.of(rule(0.99), 1, stop, cases));
            assertThat(above.pass().low()).isGreaterThan(0.99);
            assertThat(below.fail().low()).isGreaterThan(0.99);
        }
        List<CaseCounts> worse = Collections.nCopies(40, new CaseCounts(4, 0, 10));
        assertThat(requireNonNull(GateRerun.beside(new PairedRates(cases, worse), 0.1))
                        .fail()
                        .value())
                .isGreaterThan(0.99);
        assertThat(requireNonNull(GateRerun.beside(new PairedRates(worse, cases), 0.1))
                        .pass()
                        .value())
                .isGreaterThan(0.99);
    }

    @Test
    void shouldHaveARangeThatHoldsItsMean() {
        List<CaseCounts> cases = new ArrayList<>(Collections.nCopies(18, new CaseCounts(5, 0, 5)));
        cases.addAll(Collections.nCopies(10, new CaseCounts(3, 0, 5)));

        RerunChances chances =
                requireNonNull(GateRerun.of(new GatePolicy(0.8, 0.8, List.of()), 1, StopRule.NONE, cases));

        assertThat(chances.pass().low()).isLessThan(chances.pass().value());
        assertThat(chances.pass().high()).isGreaterThan(chances.pass().value());
        assertThat(chances.pass().value() + chances.fail().value()).isCloseTo(1, within(1e-9));
        assertThat(chances.fail().low()).isCloseTo(1 - chances.pass().high(), within(1e-9));
    }

    private enum Kind {
        RULE,
        SURE,
        BASELINE
    }

    /** What is said after one campaign, in five bins, against what the next one of the same cases says. */
    @ParameterizedTest
    @Tag("slow")
    @Timeout(120)
    @EnumSource
    void shouldSayHowOftenARerunPasses(Kind kind) {
        double[] said = new double[5];
        double[] happened = new double[5];
        int[] count = new int[5];
        for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
            double mean = 0.65 + 0.3 * random.nextDouble();
            double size = 0.2 + 5 * random.nextDouble();
            List<CaseCounts> before = new ArrayList<>();
            List<CaseCounts> first = new ArrayList<>();
            List<CaseCounts> again = new ArrayList<>();
            for (int i = 0; i < CASES; i++) {
                // Pólya's urn goes on: given its first trials, the case's next ones.
                int one = passes(mean * size, size);
                int other = passes(mean * size + one, size + TRIALS);
                before.add(new CaseCounts(passes(mean * size, size), 0, TRIALS));
                first.add(new CaseCounts(one, 0, TRIALS));
                again.add(new CaseCounts(other, 0, TRIALS));
            }
            RerunChances chances = requireNonNull(
                    switch (kind) {
                        case RULE -> GateRerun.of(rule(0.75), 1, StopRule.NONE, first);
                        case SURE -> GateRerun.of(rule(0.75), 1, StopRule.SURE, first);
                        case BASELINE -> GateRerun.beside(new PairedRates(before, first), MAX_DROP);
                    });
            int bin = Math.min(4, (int) (chances.pass().value() * 5));
            said[bin] += chances.pass().value();
            happened[bin] += verdict(kind, before, again) == Verdict.PASS ? 1 : 0;
            count[bin]++;
        }
        for (int bin = 0; bin < 5; bin++) {
            System.out.printf(
                    "%s: said %.3f, happened %.3f of %d%n",
                    kind, said[bin] / count[bin], happened[bin] / count[bin], count[bin]);
            if (count[bin] >= 20) {
                assertThat(said[bin] / count[bin])
                        .isCloseTo(happened[bin] / count[bin], within(0.07 + 1.5 / Math.sqrt(count[bin])));
            }
        }
    }

    private Verdict verdict(Kind kind, List<CaseCounts> before, List<CaseCounts> again) {
        int passed = again.stream().mapToInt(CaseCounts::passed).sum();
        RateRule asked = requireNonNull(rule(0.75).rule());
        return switch (kind) {
            case RULE -> asked.verdict(passed, 0, CASES * TRIALS, 1);
            case SURE -> {
                SureLooks looks =
                        new SureLooks(new TrialGrid(CASES, TRIALS), new Stopping(StopRule.SURE, List.of()), asked, 1);
                again.forEach(one -> add(one, looks));
                SureLooks.Sure sure = looks.decided();
                yield sure == null ? Verdict.INCONCLUSIVE : sure.verdict();
            }
            case BASELINE ->
                NonInferiority.verdict(new PairedRates(before, again).difference(Quantiles.LEVEL), MAX_DROP);
        };
    }

    /** The trials of a case come in any order. */
    private void add(CaseCounts one, SureLooks looks) {
        int left = one.passed();
        for (int trial = 1; trial <= TRIALS; trial++) {
            boolean passes = random.nextInt(TRIALS - trial + 1) < left;
            left -= passes ? 1 : 0;
            looks.add(trial, passes ? TrialVerdict.PASSED : TrialVerdict.FAILED);
        }
    }

    private int passes(double alpha, double size) {
        int passed = 0;
        for (int i = 0; i < TRIALS; i++) {
            passed += random.nextDouble() < (alpha + passed) / (size + i) ? 1 : 0;
        }
        return passed;
    }
}
