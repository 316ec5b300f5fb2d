package dev.assay.domain.imports;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** Where checks by own code stand in the file that they were imported from. A check is known by its identity. */
public final class CodePlaces {

    private final IdentityHashMap<JsonNode, String> paths = new IdentityHashMap<>();

    /** Notes that {@code check} stands at {@code path}. */
    void add(JsonNode check, String path) {
        paths.put(check, path);
    }

    /** The path of {@code check} in that file; null: it was not imported, or is no code. */
    public @Nullable String path(JsonNode check) {
        return paths.get(check);
    }

    /** The checks. */
    public Collection<JsonNode> checks() {
        return Collections.unmodifiableSet(paths.keySet());
    }
}
