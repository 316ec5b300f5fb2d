package dev.assay.domain.statistics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.statistics.BradleyTerry.Ability;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BradleyTerryTest {

    /** The American League East of 1987, games that a row won against a column; Baltimore is the last. */
    private static final int[][] BASEBALL = {
        {0, 7, 9, 7, 7, 9, 11},
        {6, 0, 7, 5, 11, 9, 9},
        {4, 6, 0, 7, 7, 8, 12},
        {6, 8, 6, 0, 6, 7, 10},
        {6, 2, 6, 7, 0, 7, 12},
        {4, 4, 5, 6, 6, 0, 6},
        {2, 4, 1, 3, 1, 7, 0}
    };

    /** Agresti, Categorical Data Analysis (2002), table 10.11: Baltimore is 0, standard errors are about 0.3. */
    @Test
    void shouldEqualThePublishedAbilitiesWhenFittedToBaseball() {
        BradleyTerry model = new BradleyTerry(7);
        for (int i = 0; i < 7; i++) {
            for (int j = 0; j < 7; j++) {
                if (i != j) {
                    model.add(i, j, BASEBALL[i][j]);
                }
            }
        }

        List<Ability> abilities = known(model.abilities(0));

        double[] published = {1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0};
        double baltimore = abilities.getLast().ability();
        for (int i = 0; i < 7; i++) {
            assertThat(abilities.get(i).ability() - baltimore).isCloseTo(published[i], within(0.005));
        }
        assertThat(abilities.stream().mapToDouble(Ability::ability).sum()).isCloseTo(0, within(1e-9));
        // A team against the mean of all is known better than against one other.
        assertThat(abilities)
                .allSatisfy(ability -> assertThat((ability.high() - ability.low()) / (2 * 1.96))
                        .isBetween(0.2, 0.3));
    }

    /** Two players: the odds are the wins, and their variance 1/a + 1/b; each ability is half the difference. */
    @Test
    void shouldHaveTheVarianceOfLogOddsWhenTwoPlayersMet() {
        BradleyTerry model = new BradleyTerry(2);
        model.add(0, 1, 30);
        model.add(1, 0, 10);

        Ability first = known(model.abilities(0)).getFirst();

        assertThat(first.ability()).isCloseTo(Math.log(3) / 2, within(1e-9));
        assertThat((first.high() - first.low()) / 2)
                .isCloseTo(1.959964 * Math.sqrt(1 / 30.0 + 1 / 10.0) / 2, within(1e-6));
    }

    @Test
    void shouldStayFiniteWhenAPlayerAlwaysWonAndThereIsAPrior() {
        BradleyTerry model = new BradleyTerry(3);
        model.add(0, 1, 10);
        model.add(1, 2, 10);

        List<Ability> abilities = known(model.abilities(0.5));

        assertThat(abilities).extracting(Ability::ability).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThat(abilities).allSatisfy(ability -> {
            assertThat(ability.low()).isFinite();
            assertThat(ability.high()).isFinite();
        });
    }

    @Test
    void shouldSayNothingOfAPlayerWhenItWasNeverCompared() {
        BradleyTerry model = new BradleyTerry(3);
        model.add(0, 2, 1);
        model.add(2, 0, 1);

        assertThat(model.abilities(0.5).get(1)).isNull();
        assertThat(requireNonNull(model.abilities(0.5).get(2)).ability()).isCloseTo(0, within(1e-9));
    }

    @Test
    void shouldSayNothingWhenGroupsNeverMet() {
        BradleyTerry model = new BradleyTerry(4);
        model.add(0, 1, 1);
        model.add(2, 3, 1);

        assertThat(model.abilities(0.5)).isEmpty();
        assertThat(new BradleyTerry(2).abilities(0.5)).isEmpty();
    }

    /** 19 of 20 intervals should cover the ability from which the wins were drawn. */
    @Test
    void shouldCoverTheTruthAboutAsOftenAsItSaysWhenWinsAreDrawn() {
        double[] truth = {0.6, 0.1, -0.2, -0.5};
        Random random = new Random(11);
        int covered = 0;
        for (int campaign = 0; campaign < 300; campaign++) {
            BradleyTerry model = new BradleyTerry(4);
            for (int trial = 0; trial < 60; trial++) {
                for (int i = 0; i < 4; i++) {
                    for (int j = 0; j < i; j++) {
                        boolean wins = random.nextDouble() < 1 / (1 + Math.exp(truth[j] - truth[i]));
                        model.add(wins ? i : j, wins ? j : i, 1);
                    }
                }
            }
            List<Ability> abilities = known(model.abilities(0.5));
            for (int i = 0; i < 4; i++) {
                covered += abilities.get(i).low() <= truth[i]
                                && truth[i] <= abilities.get(i).high()
                        ? 1
                        : 0;
            }
        }
        assertThat(covered / 1200.0).isBetween(0.93, 0.97);
    }

    private static List<Ability> known(List<@org.jspecify.annotations.Nullable Ability> abilities) {
        return abilities.stream().map(ability -> requireNonNull(ability)).toList();
    }
}
