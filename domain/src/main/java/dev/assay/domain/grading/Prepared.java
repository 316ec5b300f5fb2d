package dev.assay.domain.grading;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What own code left for the graders of an outcome. Graded checks are known by their number among those of the case, from 0.
 *
 * @param texts what the grader of a check reads, where that is not what the outcome's checks see
 * @param decided checks that need no grader, since their transform failed: their results stand
 */
public record Prepared(Map<Integer, String> texts, Set<Integer> decided) {

    /** Graders read what checks see. */
    public static final Prepared NOTHING = new Prepared(Map.of(), Set.of());

    public Prepared {
        texts = Collections.unmodifiableMap(new LinkedHashMap<>(texts));
        decided = Set.copyOf(decided);
    }
}
