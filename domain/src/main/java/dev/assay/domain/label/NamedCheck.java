package dev.assay.domain.label;

import dev.assay.domain.check.rule.CheckResult;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The check that people name: by its metric, or its type where it has none. */
public final class NamedCheck {

    /** Names that a message lists. */
    private static final int SHOWN = 100;

    private final String name;
    private final SortedSet<String> names = new TreeSet<>();
    private boolean isThere;
    private boolean isTwice;

    public NamedCheck(String name) {
        this.name = name;
    }

    /** The result of the check on a trial, those in groups included; null: it has none, or two. */
    public @Nullable CheckResult of(List<CheckResult> results) {
        List<CheckResult> found = new ArrayList<>();
        collect(results, found);
        isThere |= !found.isEmpty();
        isTwice |= found.size() > 1;
        return found.size() == 1 ? found.getFirst() : null;
    }

    private void collect(List<CheckResult> results, List<CheckResult> found) {
        for (CheckResult result : results) {
            String own = result.metric() == null ? result.type() : result.metric();
            if (names.size() < SHOWN) {
                names.add(own);
            }
            if (own.equals(name)) {
                found.add(result);
            }
            collect(result.members(), found);
        }
    }

    /** Why no check, or more than one, has the name on the trials so far; null: one has. */
    public @Nullable String problem() {
        if (isThere && !isTwice) {
            return null;
        }
        return (isTwice ? "Two checks of a trial are named " : "No check is named ") + name + "; there are "
                + (names.isEmpty() ? "none" : String.join(", ", names));
    }

    /** The verdict of a result; null: none. */
    public static @Nullable Boolean verdict(@Nullable CheckResult result) {
        return result == null
                ? null
                : switch (result.status()) {
                    case PASSED -> (Boolean) true;
                    case FAILED -> (Boolean) false;
                    case UNSCORED -> null;
                };
    }
}
