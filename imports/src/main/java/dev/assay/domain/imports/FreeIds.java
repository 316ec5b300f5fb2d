package dev.assay.domain.imports;

import dev.assay.domain.document.IdRule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Ids made out of names: a number follows where a name was given before. */
public final class FreeIds {

    private final Set<String> taken = new HashSet<>();
    private final Map<String, Integer> next = new HashMap<>();

    /** The id of {@code name}; that of {@code fallback} when the name is blank. */
    public String of(String name, String fallback) {
        String fit = IdRule.fit(name).strip();
        String wanted = IdRule.problem(fit) == null ? fit : fallback;
        String id = wanted;
        while (!taken.add(id)) {
            id = wanted + "-" + next.merge(wanted, 2, (before, first) -> before + 1);
        }
        return id;
    }
}
