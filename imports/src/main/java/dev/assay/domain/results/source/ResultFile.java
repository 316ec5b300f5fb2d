package dev.assay.domain.results.source;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file of results.
 *
 * @param name without its directory
 * @param text its content; null: it is an archive
 * @param entries of an archive by name, of equal names the last one; none otherwise
 */
public record ResultFile(String name, @Nullable JsonText text, Map<String, JsonText> entries) {

    public ResultFile {
        entries = new LinkedHashMap<>(entries);
    }
}
