package dev.assay.domain.report;

import dev.assay.domain.judge.ResponseComparison;
import dev.assay.domain.statistics.BradleyTerry;
import dev.assay.domain.statistics.BradleyTerry.Ability;
import dev.assay.domain.statistics.BradleyTerryRating;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up which branches beat which, two at a time. */
final class PairTally {

    /** Half a win each way for every pair that met, so that a branch that always won has a finite ability. */
    private static final double PRIOR = 0.5;

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
    void add(ResponseComparison comparison) {
        int one = comparison.branches().getFirst();
        int other = comparison.branches().getLast();
        Integer winner = comparison.winner();
        if (comparison.counted().isEmpty()) {
            return;
        }
        if (winner == null) {
            ties[one]++;
            ties[other]++;
            model.add(one, other, 0.5);
            model.add(other, one, 0.5);
        } else {
            int loser = winner == one ? other : one;
            wins[winner]++;
            losses[loser]++;
            model.add(winner, loser, 1);
        }
    }

    /** The strongest first. */
    List<BradleyTerryRating> ranking() {
        List<@Nullable Ability> abilities = model.abilities(PRIOR);
        List<BradleyTerryRating> ranking = new ArrayList<>();
        for (int i = 0; i < branchIds.size(); i++) {
            Ability ability = abilities.isEmpty() ? null : abilities.get(i);
            ranking.add(new BradleyTerryRating(
                    branchIds.get(i),
                    wins[i],
                    ties[i],
                    losses[i],
                    ability == null ? null : ability.ability(),
                    ability == null ? null : ability.low(),
                    ability == null ? null : ability.high()));
        }
        ranking.sort(Comparator.comparing(
                BradleyTerryRating::ability,
                Comparator.nullsLast(Comparator.<Double>naturalOrder().reversed())));
        return ranking;
    }
}
