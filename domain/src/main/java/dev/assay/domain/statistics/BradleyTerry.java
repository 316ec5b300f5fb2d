package dev.assay.domain.statistics;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How strong players are by the pairs that were compared: i beats j with probability 1 / (1 + exp(ability j − ability i))
 * (Bradley and Terry 1952). Fitted by the MM algorithm of Hunter (2004, MM algorithms for generalized Bradley–Terry models);
 * a tie is half a win for each. Not safe for use by several threads.
 */
public final class BradleyTerry {

    /** The quantile of the normal distribution for an interval of 95 %. */
    private static final double Z = 1.959963984540054;

    private static final int MOST_ROUNDS = 100_000;
    private static final double PRECISION = 1e-12;

    private final int players;
    private final double[][] wins;

    /** @param players how many, at least 1 */
    public BradleyTerry(int players) {
        this.players = players;
        this.wins = new double[players][players];
    }

    /**
     * How strong a player is.
     *
     * @param ability natural logarithm of its odds against a player of ability 0; all abilities add up to 0
     * @param low lower end of its 95 % interval by Fisher's information
     * @param high upper end
     */
    public record Ability(double ability, double low, double high) {}

    /** Adds {@code count} wins of {@code winner} over {@code loser}; a tie is half a win each way. */
    public void add(int winner, int loser, double count) {
        if (winner == loser || count < 0) {
            throw new IllegalArgumentException("Nobody beats itself, or less often than never");
        }
        wins[winner][loser] += count;
    }

    /**
     * The abilities of all players, null for one that was never compared; empty when the others fall into groups between which
     * nothing was compared.
     *
     * @param prior wins added each way to every pair that was compared, 0 for none. Above 0 every such pair has won and lost, so
     *     that abilities are finite even for a player that won always
     */
    public List<@Nullable Ability> abilities(double prior) {
        double[][] won = new double[players][players];
        List<Integer> compared = new ArrayList<>();
        for (int i = 0; i < players; i++) {
            boolean met = false;
            for (int j = 0; j < players; j++) {
                if (wins[i][j] + wins[j][i] > 0) {
                    won[i][j] = wins[i][j] + prior;
                    met = true;
                }
            }
            if (met) {
                compared.add(i);
            }
        }
        if (compared.isEmpty() || !isConnected(won, compared)) {
            return List.of();
        }
        double[] logs = fit(won, compared);
        double[][] covariance = covariance(won, compared, logs);
        List<@Nullable Ability> abilities = new ArrayList<>();
        for (int i = 0; i < players; i++) {
            int place = compared.indexOf(i);
            abilities.add(place < 0 ? null : ability(logs[place], covariance[place][place]));
        }
        return abilities;
    }

    private static Ability ability(double log, double variance) {
        double error = Math.sqrt(Math.max(0, variance));
        return new Ability(log, log - Z * error, log + Z * error);
    }

    /** Whether every player can be reached from every other over pairs that were compared. */
    private static boolean isConnected(double[][] won, List<Integer> compared) {
        List<Integer> reached = new ArrayList<>(List.of(compared.getFirst()));
        for (int next = 0; next < reached.size(); next++) {
            int from = reached.get(next);
            for (int to : compared) {
                if (won[from][to] + won[to][from] > 0 && !reached.contains(to)) {
                    reached.add(to);
                }
            }
        }
        return reached.size() == compared.size();
    }

    private static double[] fit(double[][] won, List<Integer> compared) {
        int size = compared.size();
        double[] strengths = new double[size];
        java.util.Arrays.fill(strengths, 1);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            double[] next = new double[size];
            double change = 0;
            double logs = 0;
            for (int i = 0; i < size; i++) {
                next[i] = improved(won, compared, strengths, i);
                logs += Math.log(next[i]);
            }
            double scale = Math.exp(-logs / size);
            for (int i = 0; i < size; i++) {
                next[i] *= scale;
                change = Math.max(change, Math.abs(next[i] - strengths[i]) / next[i]);
            }
            strengths = next;
            if (change < PRECISION) {
                break;
            }
        }
        return java.util.Arrays.stream(strengths).map(Math::log).toArray();
    }

    /** Equation 3 of Hunter 2004. */
    private static double improved(double[][] won, List<Integer> compared, double[] strengths, int i) {
        double total = 0;
        double met = 0;
        for (int j = 0; j < strengths.length; j++) {
            double times = won[compared.get(i)][compared.get(j)] + won[compared.get(j)][compared.get(i)];
            total += won[compared.get(i)][compared.get(j)];
            met += times / (strengths[i] + strengths[j]);
        }
        return total / met;
    }

    /** The pseudo-inverse of Fisher's information: abilities are known up to a constant, and theirs is that they add up to 0. */
    private static double[][] covariance(double[][] won, List<Integer> compared, double[] logs) {
        int size = logs.length;
        double[][] information = new double[size][size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                double times = won[compared.get(i)][compared.get(j)] + won[compared.get(j)][compared.get(i)];
                double chance = 1 / (1 + Math.exp(logs[j] - logs[i]));
                information[i][i] += times * chance * (1 - chance);
                information[i][j] -= times * chance * (1 - chance);
            }
        }
        for (double[] row : information) {
            for (int j = 0; j < size; j++) {
                row[j] += 1.0 / size;
            }
        }
        double[][] inverse = inverse(information);
        for (double[] row : inverse) {
            for (int j = 0; j < size; j++) {
                row[j] -= 1.0 / size;
            }
        }
        return inverse;
    }

    /** By Gauss and Jordan; the matrix is positive definite, so no pivot is 0. */
    private static double[][] inverse(double[][] matrix) {
        int size = matrix.length;
        double[][] inverse = new double[size][size];
        for (int i = 0; i < size; i++) {
            inverse[i][i] = 1;
        }
        for (int pivot = 0; pivot < size; pivot++) {
            double scale = 1 / matrix[pivot][pivot];
            for (int j = 0; j < size; j++) {
                matrix[pivot][j] *= scale;
                inverse[pivot][j] *= scale;
            }
            for (int row = 0; row < size; row++) {
                double factor = row == pivot ? 0 : matrix[row][pivot];
                for (int j = 0; j < size; j++) {
                    matrix[row][j] -= factor * matrix[pivot][j];
                    inverse[row][j] -= factor * inverse[pivot][j];
                }
            }
        }
        return inverse;
    }
}
