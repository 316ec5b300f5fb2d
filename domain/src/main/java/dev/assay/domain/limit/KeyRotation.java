package dev.assay.domain.limit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The turns of several keys: smooth weighted round robin (nginx). A key of weight 2 is used twice as often as one of weight 1, and
 * its turns are spread. For one thread at a time.
 */
public final class KeyRotation {

    private final Map<String, Integer> weights;
    private final Map<String, Long> current = new LinkedHashMap<>();

    /** @param weights of the keys by their names, at least 1, in their order */
    public KeyRotation(Map<String, Integer> weights) {
        this.weights = new LinkedHashMap<>(weights);
        weights.keySet().forEach(name -> current.put(name, 0L));
    }

    /**
     * The key of the next request.
     *
     * @param ready names of the keys that can go now
     * @return null: none can
     */
    public @Nullable String next(Set<String> ready) {
        String best = null;
        long most = Long.MIN_VALUE;
        long total = 0;
        for (Map.Entry<String, Integer> key : weights.entrySet()) {
            if (ready.contains(key.getKey())) {
                total += key.getValue();
                long turn = current.merge(key.getKey(), (long) key.getValue(), Long::sum);
                if (turn > most) {
                    most = turn;
                    best = key.getKey();
                }
            }
        }
        if (best != null) {
            current.put(best, most - total);
        }
        return best;
    }
}
