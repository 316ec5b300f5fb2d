package dev.assay.domain.statistics.sequential;

import java.util.ArrayList;
import java.util.List;

/**
 * The error that each look may have so that all looks together keep to a bound. The planned rounds share alpha evenly, half of it
 * to each side. Round m of extension j, counted from 1, spends alpha / 2ʲ / (m (m + 1)) however long the extension gets.
 *
 * @param levels the error of each look after a complete round, one side of it
 * @param bound how often the verdict of any look may be wrong: alpha (1 + 1/2 + 1/4 …), which each extension raises
 */
public record LookErrors(List<Double> levels, double bound) {

    public LookErrors {
        levels = List.copyOf(levels);
    }

    /**
     * The errors.
     *
     * @param alpha above 0 and below 1
     * @param rounds planned rounds, at least 1
     * @param extensions how many rounds each extension added, in the order in which they came
     */
    public static LookErrors of(double alpha, int rounds, List<Integer> extensions) {
        List<Double> levels = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            levels.add(alpha / 2 / rounds);
        }
        double bound = alpha;
        double share = alpha;
        for (int added : extensions) {
            share /= 2;
            bound += share;
            for (long round = 1; round <= added; round++) {
                levels.add(share / 2 / (round * (round + 1)));
            }
        }
        return new LookErrors(levels, bound);
    }
}
