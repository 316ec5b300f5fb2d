package dev.assay.domain.statistics.judging;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.judging.BradleyTerry.Ability;
import dev.assay.domain.statistics.judging.BradleyTerry.Result;
import dev.assay.domain.statistics.judging.BradleyTerry.Standings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BradleyTerryTest {

    @Test
    void shouldStayFiniteWhenAPlayerAlwaysWon() {
        BradleyTerry model = new BradleyTerry(3);
        for (int i = 0; i < 10; i++) {
            model.add(i, 0, 1, Result.WON);
            model.add(i, 2, 1, Result.LOST);
        }

        List<Ability> abilities = known(model.standings(0.95));

        assertThat(abilities).extracting(Ability::ability).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThat(abilities).allSatisfy(ability -> {
            assertThat(requireNonNull(ability.interval()).low()).isFinite();
            assertThat(requireNonNull(ability.interval()).high()).isFinite();
        });
    }

    @Test
    void shouldSayNothingOfAPlayerWhenItWasNeverCompared() {
        BradleyTerry model = new BradleyTerry(3);
        model.add(0, 0, 2, Result.WON);
        model.add(1, 2, 0, Result.WON);

        assertThat(model.standings(0.95).abilities().get(1)).isNull();
        assertThat(requireNonNull(model.standings(0.95).abilities().get(2)).ability())
                .isCloseTo(0, within(1e-9));
    }

    @Test
    void shouldSayNothingWhenGroupsNeverMet() {
        BradleyTerry model = new BradleyTerry(4);
        model.add(0, 0, 1, Result.WON);
        model.add(0, 2, 3, Result.WON);

        assertThat(model.standings(0.95).connected()).isFalse();
        assertThat(model.standings(0.95).abilities()).hasSize(4).containsOnlyNulls();
        assertThat(new BradleyTerry(2).standings(0.95).connected()).isFalse();
    }

    @Test
    void shouldHaveNoIntervalWhenAllGamesAreOfOneCase() {
        BradleyTerry model = new BradleyTerry(2);
        model.add(5, 0, 1, Result.WON);
        model.add(5, 0, 1, Result.DRAWN);

        assertThat(known(model.standings(0.95)))
                .allSatisfy(ability -> assertThat(ability.interval()).isNull());
        assertThat(model.standings(0.95).pairs())
                .singleElement()
                .satisfies(pair -> assertThat(pair.p()).isNull());
    }

    @Test
    void shouldRefuseWhenAPlayerMeetsItself() {
        assertThatIllegalArgumentException().isThrownBy(() -> new BradleyTerry(2).add(0, 1, 1, Result.DRAWN));
    }

    @Test
    void shouldGiveTheSameBitsWhenGamesComeInAnotherOrder() {
        List<int[]> games = games(new Random(3), 20, 0.3);
        Standings first = standings(games);
        Collections.shuffle(games, new Random(4));

        assertThat(standings(games)).isEqualTo(first);
    }

    /** Repeats of a case are no independent games: an interval that took them for such would cover half as often as it says. */
    @Test
    void shouldCoverTheTruthWhenGamesOfACaseAreAlike() {
        Random random = new Random(11);
        int covered = 0;
        for (int campaign = 0; campaign < 300; campaign++) {
            Ability first = known(standings(games(random, 30, 0))).getFirst();
            Interval interval = requireNonNull(first.interval());
            covered += interval.low() <= 0 && interval.high() >= 0 ? 1 : 0;
        }
        assertThat(covered / 300.0).isBetween(0.92, 1.0);
    }

    /** Three players, ten games of each pair and case; {@code fresh} of them are drawn anew, the rest repeat the case's first. */
    private static List<int[]> games(Random random, int cases, double fresh) {
        List<int[]> games = new ArrayList<>();
        for (int i = 0; i < cases; i++) {
            for (int[] pair : new int[][] {{0, 1}, {0, 2}, {2, 1}}) {
                int result = random.nextInt(3);
                for (int game = 0; game < 10; game++) {
                    result = random.nextDouble() < fresh ? random.nextInt(3) : result;
                    games.add(new int[] {i, pair[0], pair[1], result});
                }
            }
        }
        return games;
    }

    private static Standings standings(List<int[]> games) {
        BradleyTerry model = new BradleyTerry(3);
        games.forEach(game -> model.add(game[0], game[1], game[2], Result.values()[game[3]]));
        return model.standings(0.95);
    }

    private static List<Ability> known(Standings standings) {
        return standings.abilities().stream()
                .map(ability -> requireNonNull(ability))
                .toList();
    }
}
