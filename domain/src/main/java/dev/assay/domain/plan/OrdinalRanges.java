package dev.assay.domain.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.IntStream;

/**
 * Sets of trial numbers as lists of ranges.
 *
 * <p>A list is normal when it is ascending and its ranges neither overlap nor touch; every list that comes from here is normal.
 * Lists that go in may be in any order and overlap, unless a method says otherwise.
 */
public final class OrdinalRanges {

    private OrdinalRanges() {}

    /** The numbers of {@code ranges}, each once, as a normal list. */
    public static List<OrdinalRange> normalize(List<OrdinalRange> ranges) {
        List<OrdinalRange> normal = new ArrayList<>();
        ranges.stream()
                .sorted(Comparator.comparingInt(OrdinalRange::from).thenComparingInt(OrdinalRange::to))
                .forEach(range -> append(normal, range));
        return List.copyOf(normal);
    }

    /** The numbers that are in {@code one}, in {@code other} or in both. */
    public static List<OrdinalRange> union(List<OrdinalRange> one, List<OrdinalRange> other) {
        List<OrdinalRange> both = new ArrayList<>(one);
        both.addAll(other);
        return normalize(both);
    }

    /** The numbers of {@code ranges} that are not in {@code without}. */
    public static List<OrdinalRange> subtract(List<OrdinalRange> ranges, List<OrdinalRange> without) {
        List<OrdinalRange> holes = normalize(without);
        List<OrdinalRange> left = new ArrayList<>();
        int next = 0;
        for (OrdinalRange range : normalize(ranges)) {
            int from = range.from();
            while (next < holes.size() && holes.get(next).to() <= from) {
                next++;
            }
            // A hole may reach into the next range, so the last one that was looked at is looked at again.
            for (int i = next; i < holes.size() && holes.get(i).from() < range.to(); i++) {
                if (holes.get(i).from() > from) {
                    left.add(new OrdinalRange(from, holes.get(i).from()));
                }
                from = holes.get(i).to();
            }
            if (from < range.to()) {
                left.add(new OrdinalRange(from, range.to()));
            }
        }
        return List.copyOf(left);
    }

    /**
     * Cuts {@code ranges} into pieces of {@code trials} trials each, in ascending order; the last one may hold fewer.
     *
     * @param trials at least 1
     */
    public static List<List<OrdinalRange>> pieces(List<OrdinalRange> ranges, int trials) {
        if (trials < 1) {
            throw new IllegalArgumentException("A piece holds at least one trial, not " + trials);
        }
        List<List<OrdinalRange>> pieces = new ArrayList<>();
        List<OrdinalRange> piece = new ArrayList<>();
        int room = trials;
        for (OrdinalRange range : normalize(ranges)) {
            for (int from = range.from(); from < range.to(); ) {
                int taken = Math.min(room, range.to() - from);
                piece.add(new OrdinalRange(from, from + taken));
                from += taken;
                room -= taken;
                if (room == 0) {
                    pieces.add(List.copyOf(piece));
                    piece.clear();
                    room = trials;
                }
            }
        }
        if (!piece.isEmpty()) {
            pieces.add(List.copyOf(piece));
        }
        return List.copyOf(pieces);
    }

    /**
     * Deals {@code ranges} out in blocks, in ascending order, one block to each hand in turn. Hands that are worked on side by side
     * then go through the numbers together.
     *
     * @param hands at least 1
     * @param block trials of a block, at least 1; the last one may hold fewer
     * @return the hands that got any, each a normal list
     */
    public static List<List<OrdinalRange>> dealt(List<OrdinalRange> ranges, int hands, int block) {
        if (hands < 1) {
            throw new IllegalArgumentException("Trials are dealt to at least one hand, not " + hands);
        }
        List<List<OrdinalRange>> dealt = new ArrayList<>();
        int next = 0;
        for (List<OrdinalRange> piece : pieces(ranges, block)) {
            if (next == dealt.size()) {
                dealt.add(new ArrayList<>());
            }
            dealt.get(next).addAll(piece);
            next = (next + 1) % hands;
        }
        return dealt.stream().map(OrdinalRanges::normalize).toList();
    }

    /**
     * Ranges that hold exactly {@code ordinals}.
     *
     * @param ordinals ascending; a number may come more than once
     */
    public static List<OrdinalRange> ofSorted(int... ordinals) {
        List<OrdinalRange> ranges = new ArrayList<>();
        for (int i = 0, from = 0; i < ordinals.length; i++) {
            if (i > 0 && ordinals[i] < ordinals[i - 1]) {
                throw new IllegalArgumentException(
                        "Trial numbers must be ascending: " + ordinals[i] + " comes after " + ordinals[i - 1]);
            }
            boolean last = i + 1 == ordinals.length || ordinals[i + 1] > ordinals[i] + 1;
            if (last) {
                ranges.add(new OrdinalRange(ordinals[from], ordinals[i] + 1));
                from = i + 1;
            }
        }
        return List.copyOf(ranges);
    }

    /** Ranges that hold exactly {@code ordinals}. */
    public static List<OrdinalRange> of(SortedSet<Integer> ordinals) {
        return ofSorted(ordinals.stream().mapToInt(Integer::intValue).toArray());
    }

    /** The number of trials in a normal list. */
    public static int size(List<OrdinalRange> ranges) {
        return ranges.stream().mapToInt(OrdinalRange::size).reduce(0, Math::addExact);
    }

    /** The numbers of a normal list, ascending. */
    public static IntStream ordinals(List<OrdinalRange> ranges) {
        return ranges.stream().flatMapToInt(range -> IntStream.range(range.from(), range.to()));
    }

    private static void append(List<OrdinalRange> normal, OrdinalRange range) {
        if (normal.isEmpty() || normal.getLast().to() < range.from()) {
            normal.add(range);
        } else if (range.to() > normal.getLast().to()) {
            normal.set(normal.size() - 1, new OrdinalRange(normal.getLast().from(), range.to()));
        }
    }
}
