package dev.assay.work.compute.pool;

import java.util.LinkedHashMap;
import java.util.Map;

/** The count of how often definitions were stopped, in each campaign. */
final class Strikes {

    /** A definition that was stopped so often is not run again in its campaign. */
    static final int OUT = 3;

    private static final int REMEMBERED = 10_000;

    private record Key(String queue, String hash) {}

    private final Map<Key, Integer> strikes = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Integer> eldest) {
            return size() > REMEMBERED;
        }
    };

    synchronized void add(String queue, String hash) {
        strikes.merge(new Key(queue, hash), 1, Integer::sum);
    }

    synchronized boolean isOut(String queue, String hash) {
        return strikes.getOrDefault(new Key(queue, hash), 0) >= OUT;
    }
}
