package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * A prompt of the configuration: half of a column.
 *
 * @param names by which providers choose it
 * @param config its settings of models; missing: none
 * @param path where it stands
 */
record PromptColumn(String name, Set<String> names, JsonNode template, JsonNode config, String path) {

    PromptColumn {
        names = Set.copyOf(names);
    }

    /** Whether code says what is asked. */
    boolean isCode() {
        return template.isObject();
    }

    /** Whether {@code reference}, written at a provider, means this prompt. */
    boolean isMeantBy(String reference) {
        return names.stream()
                .anyMatch(name -> name.equals(reference)
                        || name.startsWith(reference + ":")
                        || (reference.endsWith("*")
                                && name.startsWith(reference.substring(0, reference.length() - 1))));
    }
}
