package dev.assay.work.compute.process;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The definitions that a compute process keeps, by their hash; those that were used last. Its parent knows which these are, since it
 * does the same steps with the same sizes.
 *
 * @param <T> what is kept of one
 */
public final class KeptDefinitions<T> {

    static final int MOST = 1_000;

    /** Characters of all together: a process has little memory. */
    static final long MOST_CHARACTERS = 8_000_000;

    private final Map<String, T> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final ToIntFunction<T> size;
    private long characters;

    /** @param size the characters of one */
    public KeptDefinitions(ToIntFunction<T> size) {
        this.size = size;
    }

    /** What is kept of a definition; null: nothing is. It counts as used. */
    public @Nullable T get(String hash) {
        return kept.get(hash);
    }

    /** Keeps one that is not kept. */
    public void put(String hash, T definition) {
        kept.put(hash, definition);
        characters += size.applyAsInt(definition);
    }

    /** What is kept of a definition, or what {@code missing} says. */
    public T use(String hash, Function<String, T> missing) {
        T found = get(hash);
        if (found == null) {
            found = missing.apply(hash);
            put(hash, found);
        }
        return found;
    }

    /** Forgets those that were used longest ago, as far as there are too many. Both sides do it after each task is sent. */
    public void shrink() {
        Iterator<T> eldest = kept.values().iterator();
        while (eldest.hasNext() && (kept.size() > MOST || characters > MOST_CHARACTERS)) {
            characters -= size.applyAsInt(eldest.next());
            eldest.remove();
        }
    }

    int size() {
        return kept.size();
    }
}
