package dev.assay.domain.statistics.comparison;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Adjusts the p-values of several tests for their number. They come back in the order given; null stays null and is not counted. */
public final class MultipleTests {

    private MultipleTests() {}

    /** By Holm (1979): with a probability of at most alpha, any test without an effect falls below alpha. */
    public static List<@Nullable Double> holm(List<@Nullable Double> p) {
        List<Integer> ascending = ascending(p);
        List<@Nullable Double> adjusted = new ArrayList<>(Collections.nCopies(p.size(), null));
        double greatest = 0;
        for (int rank = 0; rank < ascending.size(); rank++) {
            int index = ascending.get(rank);
            greatest = Math.max(greatest, Math.min(1, (ascending.size() - rank) * value(p, index)));
            adjusted.set(index, greatest);
        }
        return adjusted;
    }

    /** By Benjamini and Hochberg (1995): of the tests below q, on average at most the share q has no effect. */
    public static List<@Nullable Double> benjaminiHochberg(List<@Nullable Double> p) {
        List<Integer> ascending = ascending(p);
        List<@Nullable Double> adjusted = new ArrayList<>(Collections.nCopies(p.size(), null));
        double least = 1;
        for (int rank = ascending.size(); rank > 0; rank--) {
            int index = ascending.get(rank - 1);
            least = Math.min(least, ascending.size() * value(p, index) / rank);
            adjusted.set(index, least);
        }
        return adjusted;
    }

    private static List<Integer> ascending(List<@Nullable Double> p) {
        return IntStream.range(0, p.size())
                .boxed()
                .filter(index -> p.get(index) != null)
                .sorted(Comparator.comparingDouble(index -> value(p, index)))
                .toList();
    }

    private static double value(List<@Nullable Double> p, int index) {
        return Objects.requireNonNull(p.get(index));
    }
}
