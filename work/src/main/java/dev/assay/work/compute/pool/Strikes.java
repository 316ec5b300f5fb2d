package dev.assay.work.compute.pool;

import dev.assay.work.compute.LastUsed;
import java.util.Map;

/** The count of how often definitions were stopped, in each campaign. */
final class Strikes {

    /** A definition that was stopped so often is not run again in its campaign. */
    static final int OUT = 3;

    private static final int REMEMBERED = 10_000;

    private record Key(String queue, String hash) {}

    private final Map<Key, Integer> strikes = new LastUsed<>(REMEMBERED);

    synchronized void add(String queue, String hash) {
        strikes.merge(new Key(queue, hash), 1, Integer::sum);
    }

    synchronized boolean isOut(String queue, String hash) {
        return strikes.getOrDefault(new Key(queue, hash), 0) >= OUT;
    }
}
