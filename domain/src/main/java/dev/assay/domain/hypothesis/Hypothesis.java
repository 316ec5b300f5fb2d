package dev.assay.domain.hypothesis;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text that is scored.
 *
 * @param id unique in its evaluation, 1–128 characters
 * @param statement what is claimed, at most {@value #MAX_STATEMENT_BYTES} bytes of UTF-8
 * @param rationale why; null: not said
 * @param sources what it rests on: texts, or objects of any shape
 * @param metadata what the author keeps with it, an object; no model is shown it; null: nothing
 */
public record Hypothesis(
        String id,
        String statement,
        @Nullable String rationale,
        List<JsonNode> sources,
        @Nullable JsonNode metadata) {

    /** Longest statement. */
    public static final int MAX_STATEMENT_BYTES = 100 * 1024;

    /** Most hypotheses of one evaluation. */
    public static final int MAX_COUNT = 1_000;

    public Hypothesis {
        sources = List.copyOf(sources);
    }
}
