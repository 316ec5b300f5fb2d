package dev.assay.domain.statistics.judging;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The strength of players by the pairs that were compared (Bradley and Terry 1952). Player i beats j with probability
 * {@code 1 / (1 + exp(ability j − ability i))}; a tie is half a win for each. Each player also plays one drawn game against an
 * anchor of ability 0, so that one that always won has a finite ability. Fitted by Newton's method.
 *
 * <p>There are two variances. That of the model is C = H⁻¹, with H the information of all games. That by case is
 * {@code C (G / (G − 1) Σ s sᵀ) C}, where s is how far a case's games differ from what the model expects. The larger counts, with
 * t(G − 1), for games of one case are no independent ones. Holds two numbers for each pair and case, so the order of games changes
 * nothing. Not safe for use by several threads.
 */
public final class BradleyTerry {

    private static final int MOST_STEPS = 200;
    private static final double LONGEST_STEP = 2;
    private static final double PRECISION = 1e-10;

    private final int players;

    /** For each case, of each pair the games and the half points of the one with the lower number. */
    private final SortedMap<Integer, int[]> byCase = new TreeMap<>();

    /** @param players how many, at least 1 */
    public BradleyTerry(int players) {
        this.players = players;
    }

    /**
     * The strength of a player.
     *
     * @param ability natural logarithm of its odds against the mean of all that were compared
     * @param interval its interval; null when all games are of one case
     */
    public record Ability(double ability, @Nullable Interval interval) {}

    /**
     * The probability that one player beats another.
     *
     * @param wins probability that {@code one} beats {@code other}, above 0 and below 1
     * @param interval its interval; null when all games are of one case
     * @param p two-sided p-value of both being as strong; null as {@code interval}
     */
    public record PairChance(
            int one,
            int other,
            double wins,
            @Nullable Interval interval,
            @Nullable Double p) {}

    /**
     * The result of all games.
     *
     * @param abilities of every player; null for one that met no other, and for all when {@code connected} is false
     * @param pairs every two players that met another; empty when {@code connected} is false
     * @param connected whether there are games, and no groups between which there are none
     */
    public record Standings(List<@Nullable Ability> abilities, List<PairChance> pairs, boolean connected, int cases) {}

    /** The end of a game, for the first of its two players. */
    public enum Result {
        LOST(0),
        DRAWN(1),
        WON(2);

        private final int halfPoints;

        Result(int halfPoints) {
            this.halfPoints = halfPoints;
        }
    }

    /** Adds a game of {@code one} against {@code other} in a case. */
    public void add(int caseIndex, int one, int other, Result result) {
        if (one == other) {
            throw new IllegalArgumentException("No branch plays against itself");
        }
        int[] counts = byCase.computeIfAbsent(caseIndex, _ -> new int[players * (players - 1)]);
        int place = place(Math.min(one, other), Math.max(one, other));
        counts[place]++;
        counts[place + 1] += one < other ? result.halfPoints : Result.WON.halfPoints - result.halfPoints;
    }

    /** The standings after all games so far. */
    public Standings standings(double level) {
        long[] totals = new long[players * (players - 1)];
        byCase.values().forEach(counts -> {
            for (int i = 0; i < totals.length; i++) {
                totals[i] += counts[i];
            }
        });
        int[] seen = IntStream.range(0, players)
                .filter(player -> !opponents(totals, player).isEmpty())
                .toArray();
        if (seen.length == 0 || !isConnected(totals, seen)) {
            List<@Nullable Ability> none = new ArrayList<>();
            IntStream.range(0, players).forEach(_ -> none.add(null));
            return new Standings(none, List.of(), false, byCase.size());
        }
        return new Fit(totals, seen).standings(level);
    }

    private int place(int low, int high) {
        return 2 * (low * (2 * players - low - 1) / 2 + high - low - 1);
    }

    private BitSet opponents(long[] totals, int player) {
        BitSet opponents = new BitSet();
        for (int other = 0; other < players; other++) {
            if (other != player && totals[place(Math.min(player, other), Math.max(player, other))] > 0) {
                opponents.set(other);
            }
        }
        return opponents;
    }

    /** Whether every player can be reached from every other over pairs that were compared. */
    private boolean isConnected(long[] totals, int[] seen) {
        BitSet reached = new BitSet();
        BitSet open = new BitSet();
        open.set(seen[0]);
        while (!open.isEmpty()) {
            int player = open.nextSetBit(0);
            reached.set(player);
            open.or(opponents(totals, player));
            open.andNot(reached);
        }
        return reached.cardinality() == seen.length;
    }

    private static double chance(double difference) {
        return 1 / (1 + Math.exp(-difference));
    }

    /** The model, fitted. */
    private final class Fit {

        private final long[] totals;
        private final int[] seen;
        private final int size;
        private double[] abilities;
        private final double[][] covariance;
        private final double @Nullable [][] spread;

        Fit(long[] totals, int[] seen) {
            this.totals = totals;
            this.seen = seen;
            this.size = seen.length;
            this.abilities = new double[size];
            for (int i = 0; i < MOST_STEPS; i++) {
                if (step() < PRECISION) {
                    break;
                }
            }
            this.covariance = Matrices.inverse(information());
            this.spread = byCase.size() < 2 ? null : scores();
        }

        /** One step of Newton. Returns its length. */
        private double step() {
            double[] gradient = new double[size];
            for (int i = 0; i < size; i++) {
                gradient[i] = 0.5 - chance(abilities[i]);
            }
            for (int i = 0; i < size; i++) {
                for (int j = i + 1; j < size; j++) {
                    int place = place(seen[i], seen[j]);
                    double surplus = totals[place + 1] / 2.0 - totals[place] * chance(abilities[i] - abilities[j]);
                    gradient[i] += surplus;
                    gradient[j] -= surplus;
                }
            }
            double[] step = Matrices.times(Matrices.inverse(information()), gradient);
            double longest = 0;
            for (double one : step) {
                longest = Math.max(longest, Math.abs(one));
            }
            double scale = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1;
            double[] next = abilities.clone();
            for (int i = 0; i < size; i++) {
                next[i] += scale * step[i];
            }
            abilities = next;
            return scale * longest;
        }

        private double[][] information() {
            double[][] information = new double[size][size];
            for (int i = 0; i < size; i++) {
                double anchor = chance(abilities[i]);
                information[i][i] += anchor * (1 - anchor);
                for (int j = i + 1; j < size; j++) {
                    double chance = chance(abilities[i] - abilities[j]);
                    double weight = totals[place(seen[i], seen[j])] * chance * (1 - chance);
                    information[i][i] += weight;
                    information[j][j] += weight;
                    information[i][j] -= weight;
                    information[j][i] -= weight;
                }
            }
            return information;
        }

        /** G / (G − 1) Σ s sᵀ. */
        private double[][] scores() {
            double[][] sum = new double[size][size];
            double scale = (double) byCase.size() / (byCase.size() - 1);
            for (int[] counts : byCase.values()) {
                double[] score = score(counts);
                for (int i = 0; i < size; i++) {
                    for (int j = 0; j < size; j++) {
                        sum[i][j] += scale * score[i] * score[j];
                    }
                }
            }
            return sum;
        }

        private double[] score(int[] counts) {
            double[] score = new double[size];
            for (int i = 0; i < size; i++) {
                for (int j = i + 1; j < size; j++) {
                    int place = place(seen[i], seen[j]);
                    double surplus = counts[place + 1] / 2.0 - counts[place] * chance(abilities[i] - abilities[j]);
                    score[i] += surplus;
                    score[j] -= surplus;
                }
            }
            return score;
        }

        /** The standard error of the sum of abilities that are weighted so. */
        private double error(double[] weights) {
            double[] projected = Matrices.times(covariance, weights);
            double model = Matrices.dot(weights, projected);
            double byCases = spread == null ? 0 : Matrices.quadratic(spread, projected);
            return Math.sqrt(Math.max(model, byCases));
        }

        Standings standings(double level) {
            double mean = Arrays.stream(abilities).sum() / size;
            @Nullable Double quantile = spread == null ? null : Quantiles.student(byCase.size() - 1.0, level);
            List<@Nullable Ability> all = new ArrayList<>();
            IntStream.range(0, players).forEach(_ -> all.add(null));
            List<PairChance> pairs = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                double[] centred = new double[size];
                Arrays.fill(centred, -1.0 / size);
                centred[i] += 1;
                double ability = abilities[i] - mean;
                double half = quantile == null ? 0 : quantile * error(centred);
                all.set(
                        seen[i],
                        new Ability(ability, quantile == null ? null : new Interval(ability - half, ability + half)));
                for (int j = i + 1; j < size; j++) {
                    pairs.add(pair(i, j, quantile));
                }
            }
            return new Standings(all, pairs, true, byCase.size());
        }

        private PairChance pair(int i, int j, @Nullable Double quantile) {
            double difference = abilities[i] - abilities[j];
            if (quantile == null) {
                return new PairChance(seen[i], seen[j], chance(difference), null, null);
            }
            double[] weights = new double[size];
            weights[i] = 1;
            weights[j] = -1;
            double error = error(weights);
            double half = quantile * error;
            TDistribution student = TDistribution.of(byCase.size() - 1.0);
            return new PairChance(
                    seen[i],
                    seen[j],
                    chance(difference),
                    new Interval(chance(difference - half), chance(difference + half)),
                    2 * student.survivalProbability(Math.abs(difference) / error));
        }
    }
}
