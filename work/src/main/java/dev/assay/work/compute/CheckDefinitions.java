package dev.assay.work.compute;

import dev.assay.domain.check.Check;
import dev.assay.domain.json.Json;
import java.util.Map;

/**
 * The definitions of the checks that were used last: most answers of a campaign are checked by the same ones. To write and hash them
 * for each answer took as long as to check it.
 */
final class CheckDefinitions {

    private static final int MOST = 1_000;

    /** Characters of one that is kept. */
    private static final int LONGEST = 10_000;

    private static final CheckDefinitions SHARED = new CheckDefinitions();

    private final Map<Check, NamedDefinition> kept = new LastUsed<>(MOST);

    private CheckDefinitions() {}

    /** The definition of {@code check}. */
    static NamedDefinition of(Check check) {
        return SHARED.get(check);
    }

    private NamedDefinition get(Check check) {
        synchronized (kept) {
            NamedDefinition found = kept.get(check);
            if (found != null) {
                return found;
            }
        }
        NamedDefinition made = NamedDefinition.of(Json.write(check));
        if (made.text().length() <= LONGEST) {
            synchronized (kept) {
                kept.put(check, made);
            }
        }
        return made;
    }
}
