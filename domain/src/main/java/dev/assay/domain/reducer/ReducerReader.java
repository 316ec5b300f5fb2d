package dev.assay.domain.reducer;

import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.text.Excerpt;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reader of the reducers that a campaign names. */
public final class ReducerReader {

    /** More make a report too long to read. */
    private static final int MAX = 20;

    private static final String FIELD = "reducers";

    private ReducerReader() {}

    /**
     * Reads {@code reducers}.
     *
     * @param trials trials of each case; a reducer that needs more is a problem
     */
    public static List<Reducer> read(FieldReader document, int trials) {
        Set<String> seen = new HashSet<>();
        List<Reducer> reducers = document.list(FIELD, (node, path, problems) -> {
            String name = TextRules.textItem(node, path, problems);
            if (name == null) {
                return null;
            }
            Reducer reducer = Reducer.named(name);
            String wrong = wrong(name, reducer, trials, seen);
            if (wrong != null) {
                problems.add(path, wrong);
            }
            return reducer;
        });
        if (reducers.size() > MAX) {
            document.problems()
                    .add(
                            DocumentPath.item(document.path(FIELD), MAX),
                            "A campaign names at most " + MAX + " reducers.");
        }
        return reducers;
    }

    private static @Nullable String wrong(String name, @Nullable Reducer reducer, int trials, Set<String> seen) {
        if (reducer == null) {
            return "Unknown reducer `" + Excerpt.of(name)
                    + "`; there are pass_at_K, pass_k_K, at_least_K, at_least_J_of_K, mean, median, mode, max and min.";
        }
        if (!seen.add(name)) {
            return "Reducer `" + name + "` is named twice; remove one.";
        }
        return reducer.leastTrials() <= trials
                ? null
                : "Reducer `" + name + "` needs " + reducer.leastTrials() + " trials of each case, and `trials` is "
                        + trials + ".";
    }
}
