package dev.assay.domain.evidence;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Do re-runs of what failed lead to a PASS? Campaigns are drawn that pass in 80 % of their trials. Up to three times, the cells
 * that did not pass are drawn again. {@code -Dassay.campaigns=N} draws N for each setting.
 */
@Tag("slow")
@Timeout(1_800)
class RedrawSimulationTest {

    private static final int CAMPAIGNS = Integer.getInteger("assay.campaigns", 200);
    private static final int RERUNS = 3;

    /** After so many re-runs, last draws are asked too. */
    private static final int MISLEADING = 2;

    private static final double RATE = 0.8;

    /** What a share of 5 % may be missed by, among so many campaigns. */
    private static final double NOISE = CAMPAIGNS < 4_000 ? 3 * Math.sqrt(0.05 * 0.95 / CAMPAIGNS) : 0;

    private static final Gate CASES = new Gate(new GatePolicy(RATE, 0.9, List.of()), 1);

    /**
     * A kind of campaign.
     *
     * @param spread half of the cases pass so much more often than 80 %, half so much less
     * @param unanswered how often the provider gives no answer
     */
    private record Setting(int cases, int trials, double spread, double unanswered) {

        private TrialGrid grid() {
            return new TrialGrid(cases, trials);
        }
    }

    static Stream<Setting> settings() {
        return Stream.of(new TrialGrid(28, 5), new TrialGrid(20, 3))
                .flatMap(grid -> Stream.of(0.0, 0.15)
                        .flatMap(spread -> Stream.of(0.0, 0.1)
                                .map(share -> new Setting(grid.cases(), grid.trials(), spread, share))));
    }

    private static Gate rule(double threshold) {
        return new Gate(
                new GatePolicy(
                        1,
                        null,
                        List.of(),
                        GateDemands.NONE,
                        new RateRule(RateRule.Metric.TRIAL_RATE, threshold, RateRule.DEFAULT_ALPHA),
                        null),
                1);
    }

    /** How often something happened after each number of re-runs. */
    private static final class Shares {

        private final int[] narrowPasses = new int[RERUNS + 1];
        private final int[] rulePasses = new int[RERUNS + 1];
        private final int[] casePasses = new int[RERUNS + 1];
        private final int[] covered = new int[RERUNS + 1];

        private void add(int reruns, BranchEvidence evidence) {
            narrowPasses[reruns] += passes(rule(0.81), evidence);
            rulePasses[reruns] += passes(rule(0.9), evidence);
            casePasses[reruns] += passes(CASES, evidence);
            Proportion rate = evidence.trialRate();
            covered[reruns] += requireNonNull(rate.low()) <= RATE && RATE <= requireNonNull(rate.high()) ? 1 : 0;
        }

        private static int passes(Gate gate, BranchEvidence evidence) {
            return gate.decide(evidence.bounds(), new Gate.Doubt(1, 1, 1)).verdict() == Verdict.PASS ? 1 : 0;
        }

        private static double[] of(int[] counts) {
            return Arrays.stream(counts)
                    .mapToDouble(count -> (double) count / CAMPAIGNS)
                    .toArray();
        }

        @Override
        public String toString() {
            return "passes at 0.81 " + Arrays.toString(of(narrowPasses)) + ", at 0.9 " + Arrays.toString(of(rulePasses))
                    + ", by cases " + Arrays.toString(of(casePasses)) + ", covered " + Arrays.toString(of(covered));
        }
    }

    /** The draws of a campaign. */
    private static final class Campaign {

        private final Setting setting;
        private final TrialGrid grid;
        private final SplittableRandom random;
        private final TrialVerdict[] last;
        private final Redraw[] first;

        private Campaign(Setting setting, SplittableRandom random) {
            this.setting = setting;
            this.grid = setting.grid();
            this.random = random;
            this.last = new TrialVerdict[grid.size()];
            this.first = new Redraw[grid.size()];
            for (int ordinal = 0; ordinal < grid.size(); ordinal++) {
                last[ordinal] = draw(ordinal);
            }
        }

        private TrialVerdict draw(int ordinal) {
            if (random.nextDouble() < setting.unanswered()) {
                return TrialVerdict.PROVIDER_ERROR;
            }
            double sign = grid.caseIndex(ordinal) % 2 == 0 ? 1 : -1;
            return random.nextDouble() < RATE + sign * setting.spread() ? TrialVerdict.PASSED : TrialVerdict.FAILED;
        }

        /** As {@code assay rerun} does: all that did not pass. */
        private void rerun() {
            for (int ordinal = 0; ordinal < grid.size(); ordinal++) {
                if (last[ordinal] != TrialVerdict.PASSED) {
                    if (first[ordinal] == null && last[ordinal].isScored()) {
                        first[ordinal] = new Redraw(0, ordinal, false, 0.0);
                    }
                    last[ordinal] = draw(ordinal);
                }
            }
        }

        private BranchEvidence evidence(boolean byFirstDraws) {
            List<Redraw> redraws = new ArrayList<>();
            Arrays.stream(first)
                    .filter(redraw -> byFirstDraws && redraw != null)
                    .forEach(redraws::add);
            EvidenceTally tally = new EvidenceTally(grid, ErrorTreatment.PROVIDER, redraws);
            IntStream.range(0, grid.size())
                    .forEach(ordinal -> tally.add(
                            ordinal,
                            last[ordinal].isScored() ? OutcomeStatus.COMPLETED : OutcomeStatus.MODEL_ERROR,
                            last[ordinal]));
            return new BranchEvidence(tally.cases(), ErrorTreatment.PROVIDER, null);
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldNotPassMoreOftenWhenWhatFailedIsDrawnAgain(Setting setting) {
        SplittableRandom random = new SplittableRandom(28);
        Shares byFirst = new Shares();
        Shares byLast = new Shares();
        for (int i = 0; i < CAMPAIGNS; i++) {
            Campaign campaign = new Campaign(setting, random);
            for (int reruns = 0; reruns <= RERUNS; reruns++) {
                byFirst.add(reruns, campaign.evidence(true));
                if (reruns == MISLEADING) {
                    byLast.add(reruns, campaign.evidence(false));
                }
                campaign.rerun();
            }
        }
        System.out.printf(
                "%s: %d campaigns%n  first draws: %s%n  last draws: %s%n", setting, CAMPAIGNS, byFirst, byLast);

        check(setting, byFirst);
        checkThatLastDrawsWouldMislead(byLast);
    }

    private static void check(Setting setting, Shares shares) {
        for (int reruns = 0; reruns <= RERUNS; reruns++) {
            assertThat(Shares.of(shares.narrowPasses)[reruns])
                    .as("rule of 81 %% after %d re-runs", reruns)
                    .isLessThanOrEqualTo(0.05 + NOISE);
            assertThat(Shares.of(shares.rulePasses)[reruns])
                    .as("rule of 90 %% after %d re-runs", reruns)
                    .isLessThanOrEqualTo(0.05 + NOISE);
            assertThat(Shares.of(shares.covered)[reruns])
                    .as("interval after %d re-runs", reruns)
                    .isGreaterThanOrEqualTo(0.94 - NOISE);
            if (setting.unanswered() == 0) {
                assertThat(shares.casePasses[reruns])
                        .as("thresholds after %d re-runs", reruns)
                        .isLessThanOrEqualTo(shares.casePasses[0]);
            }
        }
    }

    /**
     * If last draws counted, 80 % would look like 99 % after two re-runs: at 28 × 5 every campaign then passes a rule of 81 %, where
     * 1.1 % do by their first draws, and no interval holds the truth. So the test above can fail.
     */
    private static void checkThatLastDrawsWouldMislead(Shares shares) {
        assertThat(Shares.of(shares.narrowPasses)[MISLEADING]).isGreaterThan(0.9);
        assertThat(Shares.of(shares.casePasses)[MISLEADING]).isGreaterThan(0.5);
        assertThat(Shares.of(shares.covered)[MISLEADING]).isLessThan(0.5);
    }
}
