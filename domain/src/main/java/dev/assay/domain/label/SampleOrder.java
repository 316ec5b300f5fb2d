package dev.assay.domain.label;

import dev.assay.domain.replay.RequestKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The cells that a sample takes: the first by SHA-256 of seed, case, branch and trial. So the order does not depend on what was
 * answered, and a larger sample of a seed begins with the smaller one. It holds no more cells than the sample has.
 *
 * @param <T> what is known of a cell
 */
public final class SampleOrder<T> {

    /** Hexadecimal digits of the hash that name an item. */
    private static final int ITEM_DIGITS = 16;

    private final int count;
    private final long seed;
    private final PriorityQueue<Item<T>> taken = new PriorityQueue<>(
            Comparator.<Item<T>, String>comparing(Item::hash).reversed());
    private long population;

    /**
     * An item of a sample.
     *
     * @param hash by which it is ordered, hexadecimal
     */
    public record Item<T>(String hash, T cell) {

        /** The name of the item, which says nothing of its cell. */
        public String name() {
            return hash.substring(0, ITEM_DIGITS);
        }
    }

    /** An order that has seen no cell; {@code count} at least 0. */
    public SampleOrder(int count, long seed) {
        this.count = count;
        this.seed = seed;
    }

    /** Adds a cell of the population. */
    public void add(String caseId, String branchId, int trial, T cell) {
        population++;
        taken.add(new Item<>(RequestKey.sha256(seed + "\n" + caseId + "\n" + branchId + "\n" + trial), cell));
        if (taken.size() > count) {
            taken.remove();
        }
    }

    /** The number of cells that were added. */
    public long population() {
        return population;
    }

    /** The sample, in its order. */
    public List<Item<T>> sample() {
        List<Item<T>> sample = new ArrayList<>(taken);
        sample.sort(Comparator.comparing(Item::hash));
        return sample;
    }
}
