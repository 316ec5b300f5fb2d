package dev.assay.domain.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.comparison.ComparedEvaluators;
import dev.assay.domain.evaluator.EvaluatorSet;
import dev.assay.domain.evaluator.UsedEvaluator;
import dev.assay.domain.evaluator.UsedEvaluators;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ScoringReportTest {

    private static EvaluatorSet used(@Nullable String digest) {
        UsedEvaluator one = digest == null
                ? new UsedEvaluator(null, null, null, 3)
                : new UsedEvaluator(digest, "check", "icontains/1", 3);
        return new EvaluatorSet(List.of(one), 1, digest);
    }

    private static FlipStatistics of(boolean[][] verdicts, int trials) {
        FlipTally tally = new FlipTally();
        for (int i = 0; i < verdicts.length; i++) {
            tally.add(i / trials, verdicts[i][0], verdicts[i][1]);
        }
        return tally.statistics();
    }

    @Test
    void shouldTakeTrialsOfOneCaseAsOneObservation() {
        boolean[][] lost = new boolean[20][];
        java.util.Arrays.fill(lost, new boolean[] {true, false});

        assertThat(of(lost, 1).p()).as("twenty cases").isLessThan(0.001);
        assertThat(of(lost, 20).p()).as("one case of twenty trials").isEqualTo(1);
        assertThat(of(lost, 10).p()).as("two cases of ten trials").isEqualTo(0.5);
    }

    @Test
    void shouldNotDependOnTheOrderOfCells() {
        Random random = new Random(5);
        List<boolean[]> cells = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            cells.add(new boolean[] {random.nextBoolean(), random.nextBoolean()});
        }
        List<Integer> order =
                new ArrayList<>(java.util.stream.IntStream.range(0, 60).boxed().toList());
        FlipTally straight = new FlipTally();
        order.forEach(i -> straight.add(i / 3, cells.get(i)[0], cells.get(i)[1]));
        Collections.shuffle(order, random);
        FlipTally shuffled = new FlipTally();
        order.forEach(i -> shuffled.add(i / 3, cells.get(i)[0], cells.get(i)[1]));

        assertThat(shuffled.statistics()).isEqualTo(straight.statistics());
    }

    @Test
    void shouldCountWhatIsUnknownAndCompareNothingOfIt() {
        FlipTally tally = new FlipTally();
        tally.add(0, null, true);
        tally.add(0, false, null);
        tally.add(1, null, null);
        FlipStatistics statistics = tally.statistics();

        assertThat(statistics.cells()).isEqualTo(3);
        assertThat(statistics.compared()).isZero();
        assertThat(statistics.unknown()).isEqualTo(new FlipStatistics.Unknown(2, 2));
        assertThat(statistics.counts()).isEqualTo(new FlipStatistics.Counts(0, 0, 0, 0));
        assertThat(statistics.p()).isNull();
        assertThat(statistics.kappa().value()).isNull();
        assertThat(statistics.difference()).isEqualTo(new ScoredDifference(null, null, null, 0));
    }

    @Test
    void shouldAdjustTheTestsOfAllBranches() {
        boolean[][] lost = new boolean[8][];
        java.util.Arrays.fill(lost, new boolean[] {true, false});
        boolean[][] same = new boolean[8][];
        java.util.Arrays.fill(same, new boolean[] {true, true});
        Proportion rate = Proportion.of(8, 8);
        List<ScoredBranch> branches = ScoredBranch.adjusted(List.of(
                new ScoredBranch("a", of(lost, 1), rate, Proportion.of(0, 8)),
                new ScoredBranch("b", of(same, 1), rate, rate),
                new ScoredBranch("c", new FlipTally().statistics(), rate, rate)));

        double p = Objects.requireNonNull(branches.getFirst().statistics().p());
        assertThat(branches).extracting(ScoredBranch::pHolm).containsExactly(2 * p, 1.0, null);
    }

    @Test
    void shouldShowLossesFirst() {
        List<ScoredFlip> flips = new ArrayList<>(List.of(
                new ScoredFlip("a", "x", 1, false, true, null),
                new ScoredFlip("b", "x", 1, true, false, "No."),
                new ScoredFlip("a", "y", 2, true, false, null),
                new ScoredFlip("a", "y", 1, true, false, null),
                new ScoredFlip("a", "x", 3, true, false, null)));
        flips.sort(ScoredFlip.ORDER);

        assertThat(flips)
                .extracting(flip -> flip.caseId() + flip.branchId() + flip.trial() + flip.before())
                .containsExactly("ax3true", "ay1true", "ay2true", "bx1true", "ax1false");
    }

    @Test
    void shouldCountACellOnceForEachOfItsReasons() {
        assertThat(UnscoredReason.of(List.of(
                        List.of("No files.", "No files."), List.of("No cost.", "No files."), List.of("No cost."))))
                .containsExactly(new UnscoredReason("No cost.", 2), new UnscoredReason("No files.", 2));
    }

    @Test
    void shouldSayThatEvaluatorsAreTheSameOnlyWhereAllAreKnown() {
        assertThat(UsedEvaluators.of(used("h"), used("h")).same()).isTrue();
        assertThat(UsedEvaluators.of(used("h"), used("i")).same())
                .as("a new judge")
                .isFalse();
        assertThat(UsedEvaluators.of(used(null), used(null)).same())
                .as("nobody knows")
                .isFalse();
        assertThat(UsedEvaluators.of(used("h"), used(null)).same()).isFalse();
        assertThat(ComparedEvaluators.of(used("h"), used("h")).warning()).isNull();
        assertThat(ComparedEvaluators.of(used("h"), used("i")).warning())
                .isEqualTo("A and B were judged by different evaluators: this compares judges, not branches.");
        assertThat(ComparedEvaluators.of(used(null), used(null)).warning()).contains("not known");
    }

    @Test
    void shouldHaveTheNamesOfTheApi() {
        JsonNode json = Json.mapper()
                .valueToTree(new ScoringReport(
                        "first",
                        "second",
                        true,
                        new ScoringReport.Progress(2, 2, 4, null),
                        List.of(),
                        UsedEvaluators.of(used("h"), used("h")),
                        new ScoringReport.Verdicts(Verdict.PASS, null),
                        List.of(),
                        List.of(new ScoredBranch(
                                "a", new FlipTally().statistics(), Proportion.of(1, 2), Proportion.of(1, 2))),
                        List.of()));

        assertThat(json.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "of",
                        "campaign",
                        "complete",
                        "cells",
                        "scored",
                        "calls",
                        "costUsd",
                        "unscored",
                        "evaluators",
                        "verdicts",
                        "warnings",
                        "branches",
                        "flips");
        assertThat(json.at("/branches/0").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "branchId",
                        "cells",
                        "compared",
                        "counts",
                        "unknownBefore",
                        "unknownAfter",
                        "agreement",
                        "kappa",
                        "difference",
                        "p",
                        "pHolm",
                        "before",
                        "after");
    }
}
