package dev.assay.domain.plan;

import org.jspecify.annotations.Nullable;

/**
 * The order of cases that a seed draws, the same in each round. It depends on the seed and the number of cases alone, so trials that
 * are added later continue it. All orders are equally likely. The shuffle is that of Fisher and Yates (Durstenfeld 1964), its numbers
 * are those of SplitMix64 (Steele, Lea and Flood 2014). Seeds are stored, so neither may ever change. Two are equal when seed and
 * number of cases are. Safe for use by several threads.
 */
public final class DrawnOrder implements TrialOrder {

    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final int cases;

    /** Drawn at the first use: campaigns are read far more often than planned. */
    private volatile @Nullable Places drawn;

    /** @param cases number of cases, at least 1 */
    public DrawnOrder(long seed, int cases) {
        if (cases < 1) {
            throw new IllegalArgumentException("An order has at least one case, not " + cases);
        }
        this.seed = seed;
        this.cases = cases;
    }

    @Override
    public int ordinal(int position) {
        return position - position % cases + places().caseAt[position % cases];
    }

    @Override
    public int position(int ordinal) {
        return ordinal - ordinal % cases + places().placeOf[ordinal % cases];
    }

    /** The case at each place of a round, and the place of each case. */
    private static final class Places {

        private final int[] caseAt;
        private final int[] placeOf;

        private Places(int[] caseAt) {
            this.caseAt = caseAt;
            this.placeOf = new int[caseAt.length];
            for (int place = 0; place < caseAt.length; place++) {
                placeOf[caseAt[place]] = place;
            }
        }
    }

    private Places places() {
        Places known = drawn;
        if (known == null) {
            // Two threads may draw the same at once.
            known = draw();
            drawn = known;
        }
        return known;
    }

    private Places draw() {
        int[] caseAt = new int[cases];
        for (int i = 0; i < cases; i++) {
            caseAt[i] = i;
        }
        Numbers numbers = new Numbers(seed);
        for (int last = cases - 1; last > 0; last--) {
            int chosen = numbers.below(last + 1);
            int moved = caseAt[last];
            caseAt[last] = caseAt[chosen];
            caseAt[chosen] = moved;
        }
        return new Places(caseAt);
    }

    /** SplitMix64. */
    private static final class Numbers {

        private long state;

        private Numbers(long seed) {
            this.state = seed;
        }

        /** A number from 0 up to {@code bound}, each equally likely: what is left over of 2^63 is drawn again. */
        private int below(int bound) {
            while (true) {
                long number = next() >>> 1;
                long below = number % bound;
                if (number - below + (bound - 1) >= 0) {
                    return (int) below;
                }
            }
        }

        private long next() {
            state += GAMMA;
            long z = state;
            z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return z ^ (z >>> 31);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DrawnOrder order && order.seed == seed && order.cases == cases;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(seed) * 31 + cases;
    }

    @Override
    public String toString() {
        return "DrawnOrder[seed=" + seed + ", cases=" + cases + "]";
    }
}
