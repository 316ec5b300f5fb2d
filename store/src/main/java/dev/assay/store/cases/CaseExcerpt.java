package dev.assay.store.cases;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A case as lists show it.
 *
 * @param position place in the suite, from 0
 * @param prompt the first characters of the first prompt; empty when it has no text
 * @param expected the first characters of the text that the first check with a value looks for; null: none does
 */
public record CaseExcerpt(
        int position,
        String id,
        String prompt,
        List<String> tags,
        @Nullable String expected) {

    public CaseExcerpt {
        tags = List.copyOf(tags);
    }
}
