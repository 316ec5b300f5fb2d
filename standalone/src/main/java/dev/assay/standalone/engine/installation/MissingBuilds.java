package dev.assay.standalone.engine.installation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The time since which builds have had no worker. */
final class MissingBuilds {

    private final Duration patience;
    private final Map<String, Long> since = new HashMap<>();

    /**
     * Misses none yet.
     *
     * @param patience how long a build may be without a worker
     */
    MissingBuilds(Duration patience) {
        this.patience = patience;
    }

    /**
     * Notes which builds have a worker.
     *
     * @param inUse builds to which open runs may belong
     * @return those in use that have had none for the whole of the patience
     */
    Set<String> missing(Set<String> inUse, Set<String> live, long nanoTime) {
        Set<String> without = new TreeSet<>(inUse);
        without.removeAll(live);
        since.keySet().retainAll(without);
        without.forEach(build -> since.putIfAbsent(build, nanoTime));
        without.removeIf(build -> nanoTime - since.getOrDefault(build, nanoTime) < patience.toNanos());
        return without;
    }
}
