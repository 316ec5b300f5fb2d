package dev.assay.work.compute;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of the entries that were used last; older ones are forgotten. Its users guard it. */
public final class LastUsed<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1L;

    private final int most;

    /** An empty map that keeps at most {@code most} entries. */
    public LastUsed(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
