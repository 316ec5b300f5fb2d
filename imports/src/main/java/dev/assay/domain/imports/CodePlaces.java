package dev.assay.domain.imports;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** Where own code stands in the file that it was imported from. It is known by the identity of its check or object. */
public final class CodePlaces {

    private final IdentityHashMap<JsonNode, String> paths = new IdentityHashMap<>();

    /** Notes that the code of {@code owner} stands at {@code path}. */
    void add(JsonNode owner, String path) {
        paths.put(owner, path);
    }

    /** Notes that the code of {@code owner}, if it has any, is that of {@code copy}, too. */
    public void copied(JsonNode owner, JsonNode copy) {
        String path = paths.get(owner);
        if (path != null) {
            paths.put(copy, path);
        }
    }

    /** The path of the code of {@code owner} in that file; null: it was not imported, or is no code. */
    public @Nullable String path(JsonNode owner) {
        return paths.get(owner);
    }

    /** The checks, and the objects that name a language. */
    public Collection<JsonNode> owners() {
        return Collections.unmodifiableSet(paths.keySet());
    }
}
