package dev.assay.domain.report;

import dev.assay.domain.judge.ResponseComparison;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.MultipleTests;
import dev.assay.domain.statistics.judging.BradleyTerry;
import dev.assay.domain.statistics.judging.BradleyTerry.Ability;
import dev.assay.domain.statistics.judging.BradleyTerry.PairChance;
import dev.assay.domain.statistics.judging.BradleyTerryRating;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sums of which branches beat which, two at a time. */
final class PairTally {

    private final List<String> branchIds;
    private final BradleyTerry model;
    private final int[] wins;
    private final int[] ties;
    private final int[] losses;

    PairTally(List<String> branchIds) {
        this.branchIds = branchIds;
        this.model = new BradleyTerry(branchIds.size());
        this.wins = new int[branchIds.size()];
        this.ties = new int[branchIds.size()];
        this.losses = new int[branchIds.size()];
    }

    /** A comparison in which no judge has a vote says nothing. */
    void add(int caseIndex, ResponseComparison comparison) {
        int one = comparison.branches().getFirst();
        int other = comparison.branches().getLast();
        Integer winner = comparison.winner();
        if (comparison.counted().isEmpty()) {
            return;
        }
        if (winner == null) {
            ties[one]++;
            ties[other]++;
            model.add(caseIndex, one, other, BradleyTerry.Result.DRAWN);
        } else {
            int loser = winner == one ? other : one;
            wins[winner]++;
            losses[loser]++;
            model.add(caseIndex, winner, loser, BradleyTerry.Result.WON);
        }
    }

    /** The strongest first. */
    List<BradleyTerryRating> ranking() {
        List<@Nullable Ability> abilities = model.standings(Quantiles.LEVEL).abilities();
        List<BradleyTerryRating> ranking = new ArrayList<>();
        for (int i = 0; i < branchIds.size(); i++) {
            Ability ability = abilities.get(i);
            Interval interval = ability == null ? null : ability.interval();
            ranking.add(new BradleyTerryRating(
                    branchIds.get(i),
                    wins[i],
                    ties[i],
                    losses[i],
                    ability == null ? null : ability.ability(),
                    interval == null ? null : interval.low(),
                    interval == null ? null : interval.high()));
        }
        ranking.sort(Comparator.comparing(
                BradleyTerryRating::ability,
                Comparator.nullsLast(Comparator.<Double>naturalOrder().reversed())));
        return ranking;
    }

    /** The probability that each branch beats each other, in the campaign's order of branches. */
    List<PairSummary> chances() {
        List<PairChance> pairs = model.standings(Quantiles.LEVEL).pairs();
        List<@Nullable Double> adjusted =
                MultipleTests.holm(pairs.stream().map(PairChance::p).toList());
        List<PairSummary> chances = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            PairChance pair = pairs.get(i);
            Interval interval = pair.interval();
            chances.add(new PairSummary(
                    branchIds.get(pair.one()),
                    branchIds.get(pair.other()),
                    pair.wins(),
                    interval == null ? null : interval.low(),
                    interval == null ? null : interval.high(),
                    pair.p(),
                    adjusted.get(i)));
        }
        return chances;
    }
}
