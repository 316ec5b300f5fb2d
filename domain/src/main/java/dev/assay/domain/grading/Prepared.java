package dev.assay.domain.grading;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.assay.domain.check.code.Interpreter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What own code left for the graders of an outcome. Graded checks are known by their number among those of the case, from 0.
 *
 * @param texts what the grader of a check reads, where that is not what the outcome's checks see
 * @param decided checks that need no grader, since their transform failed: their results stand
 * @param interpreters that ran the code, each once; null: none did, or an earlier build noted none
 */
public record Prepared(
        Map<Integer, String> texts,
        Set<Integer> decided,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Interpreter> interpreters) {

    /** Graders read what checks see. */
    public static final Prepared NOTHING = new Prepared(Map.of(), Set.of(), null);

    public Prepared {
        texts = Collections.unmodifiableMap(new LinkedHashMap<>(texts));
        decided = Set.copyOf(decided);
        interpreters = interpreters == null || interpreters.isEmpty() ? null : List.copyOf(interpreters);
    }

    /** The interpreters that ran the code, as far as they are known. */
    public List<Interpreter> ran() {
        return interpreters == null ? List.of() : interpreters;
    }
}
