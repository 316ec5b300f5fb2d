package dev.assay.domain.stop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.evidence.Draws;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.TallyRules;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.usage.Usage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StopTallyTest {

    /** A cell that was asked. */
    private record Cell(int ordinal, int branch, TrialVerdict verdict) {}

    /** A campaign whose every answer is known beforehand. */
    private record Played(TrialGrid grid, GatePolicy gate, Stopping stopping, List<String> branches, List<Cell> all) {

        CampaignSummary summary(List<Cell> asked) {
            List<String> cases =
                    IntStream.range(0, grid.cases()).mapToObj(i -> "case-" + i).toList();
            CampaignTally tally = new CampaignTally(
                    grid, cases, branches, new TallyRules(gate, List.of(), false, null, stopping, null, Draws.ONCE));
            asked.forEach(cell -> tally.add(fact(cell)));
            return tally.summarize();
        }

        private OutcomeFact fact(Cell cell) {
            boolean error = cell.verdict == TrialVerdict.ERROR;
            return new OutcomeFact(
                    grid.caseIndex(cell.ordinal),
                    grid.trial(cell.ordinal),
                    cell.branch,
                    error ? OutcomeStatus.MODEL_ERROR : OutcomeStatus.COMPLETED,
                    cell.verdict.passed(),
                    Usage.NONE,
                    null,
                    1);
        }

        /** Cells are begun in the given order while they are needed, and end in another order, up to five at once. */
        List<Cell> stopped(Random random) {
            StopTally tally = new StopTally(stopping, grid, gate, branches);
            List<Cell> asked = new ArrayList<>();
            List<Cell> inFlight = new ArrayList<>();
            for (Cell cell : all) {
                while (inFlight.size() > random.nextInt(5)) {
                    Cell ended = inFlight.remove(random.nextInt(inFlight.size()));
                    tally.add(ended.ordinal, ended.branch, ended.verdict);
                    asked.add(ended);
                }
                if (tally.needed().contains(cell.branch, grid.caseIndex(cell.ordinal))) {
                    inFlight.add(cell);
                }
            }
            asked.addAll(inFlight);
            return asked;
        }
    }

    private static Played played(Random random, GatePolicy gate, Stopping stopping, TrialGrid grid, int branches) {
        double[] rates = random.doubles(branches).map(Math::sqrt).toArray();
        List<Cell> all = new ArrayList<>();
        for (int ordinal = 0; ordinal < grid.size(); ordinal++) {
            for (int branch = 0; branch < branches; branch++) {
                all.add(new Cell(ordinal, branch, verdict(random, rates[branch])));
            }
        }
        List<String> ids = IntStream.range(0, branches).mapToObj(i -> "b" + i).toList();
        return new Played(grid, gate, stopping, ids, all);
    }

    private static TrialVerdict verdict(Random random, double rate) {
        return switch (random.nextInt(20)) {
            case 0 -> TrialVerdict.ERROR;
            case 1 -> TrialVerdict.NO_EVIDENCE;
            default -> random.nextDouble() < rate ? TrialVerdict.PASSED : TrialVerdict.FAILED;
        };
    }

    private static GatePolicy thresholds(Random random, int branches) {
        List<String> gated = random.nextBoolean() ? List.of() : List.of("b" + random.nextInt(branches));
        ErrorTreatment errors = random.nextBoolean() ? ErrorTreatment.FAIL : ErrorTreatment.UNKNOWN;
        return new GatePolicy(
                random.nextInt(6) / 5.0, random.nextInt(6) / 5.0, gated, new GateDemands(null, errors, 1), null, null);
    }

    @Test
    void shouldGiveTheVerdictsOfTheFullRunWhenItStopsAtWhatIsSettled() {
        Random random = new Random(16);
        long saved = 0;
        for (int run = 0; run < 400; run++) {
            int branches = 1 + random.nextInt(3);
            TrialGrid grid = new TrialGrid(1 + random.nextInt(6), 1 + random.nextInt(6));
            Played played = played(
                    random, thresholds(random, branches), new Stopping(StopRule.SETTLED, List.of()), grid, branches);
            if (random.nextBoolean()) {
                Collections.shuffle(played.all, random);
            }

            List<Cell> asked = played.stopped(random);

            assertThat(played.summary(asked).verdict())
                    .as("%s", played)
                    .isEqualTo(played.summary(played.all).verdict());
            saved += played.all.size() - asked.size();
        }
        assertThat(saved).isPositive();
    }

    @Test
    void shouldGiveTheVerdictOfTheFirstSureLookWhateverComesAfterIt() {
        Random random = new Random(17);
        int stopped = 0;
        for (int run = 0; run < 100; run++) {
            int branches = 1 + random.nextInt(3);
            TrialGrid grid = new TrialGrid(5 + random.nextInt(20), 8);
            GatePolicy gate = ruled(0.7);
            Played played = played(random, gate, new Stopping(StopRule.SURE, List.of(3)), grid, branches);

            List<Cell> asked = played.stopped(random);
            CampaignSummary full = played.summary(played.all);
            CampaignSummary early = played.summary(asked);

            assertThat(early.verdict()).isEqualTo(full.verdict());
            if (asked.size() < played.all.size()) {
                stopped++;
                assertThat(early.branches())
                        .anySatisfy(branch -> assertThat(branch.early().bound()).isCloseTo(0.075, within(1e-12)));
            }
        }
        assertThat(stopped).isPositive();
    }

    /** At the threshold every verdict is wrong on one side: at most alpha of campaigns may end with one. */
    @Test
    void shouldBeWrongNoMoreOftenThanTheBoundWhenTheRateIsTheThreshold() {
        Random random = new Random(18);
        int wrong = 0;
        int runs = 500;
        for (int run = 0; run < runs; run++) {
            SureLooks looks = new SureLooks(
                    new TrialGrid(20, 10),
                    new Stopping(StopRule.SURE, List.of()),
                    ruled(0.8).rule(),
                    1);
            for (int i = 0; i < 200; i++) {
                looks.add(i / 20 + 1, random.nextDouble() < 0.8 ? TrialVerdict.PASSED : TrialVerdict.FAILED);
            }
            wrong += looks.decided() == null ? 0 : 1;
        }
        assertThat((double) wrong / runs).isBetween(0.0, 0.05);
    }

    @Test
    void shouldSayTheSameInAnyOrderAndAfterTakingBackWhatWasCounted() {
        Random random = new Random(19);
        for (int run = 0; run < 50; run++) {
            TrialGrid grid = new TrialGrid(4, 5);
            boolean sure = random.nextBoolean();
            Stopping stopping = new Stopping(sure ? StopRule.SURE : StopRule.SETTLED, List.of());
            Played played = played(random, sure ? ruled(0.5) : thresholds(random, 2), stopping, grid, 2);
            List<Cell> some = new ArrayList<>(played.all.subList(0, random.nextInt(played.all.size())));
            StopTally one = new StopTally(stopping, grid, played.gate, played.branches);
            some.forEach(cell -> one.add(cell.ordinal, cell.branch, cell.verdict));

            StopTally other = new StopTally(stopping, grid, played.gate, played.branches);
            played.all.forEach(cell -> other.add(cell.ordinal, cell.branch, cell.verdict));
            other.needed();
            played.all.stream()
                    .filter(cell -> !some.contains(cell))
                    .forEach(cell -> other.remove(cell.ordinal, cell.branch, cell.verdict));

            for (int branch = 0; branch < 2; branch++) {
                for (int i = 0; i < grid.cases(); i++) {
                    assertThat(other.needed().contains(branch, i))
                            .isEqualTo(one.needed().contains(branch, i));
                }
            }
        }
    }

    private static GatePolicy ruled(double threshold) {
        return new GatePolicy(
                1.0,
                null,
                List.of(),
                GateDemands.NONE,
                new RateRule(RateRule.Metric.TRIAL_RATE, threshold, 0.05),
                null);
    }

    @Test
    void shouldEndTheCampaignAsSoonAsOneGatedBranchFails() {
        TrialGrid grid = new TrialGrid(2, 2);
        StopTally tally =
                new StopTally(new Stopping(StopRule.SETTLED, List.of()), grid, GatePolicy.DEFAULT, List.of("a", "b"));

        tally.add(0, 0, TrialVerdict.FAILED);

        assertThat(tally.needed().contains(1, 0)).isFalse();
    }
}
