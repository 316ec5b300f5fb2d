package dev.assay.domain.check.rule;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Set;

/**
 * The rule of one kind of check. The components of a rule are the fields of its kind in JSON. Each rule says in its own file what
 * users write ({@link CheckKind}), how that is read, and what it finds.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public interface CheckRule {

    /** The kind that this is a rule of. */
    CheckKind kind();

    /** The finding on an outcome. The same input always gives the same finding. */
    Finding find(CheckInput input);

    /** The finding of a check that must not hold, from the rule's finding. */
    default Finding negated(Finding found) {
        return found.negated();
    }

    /** The most that each character of a text is compared by the rule, where it searches: the length of what it looks for. */
    default long comparisons() {
        return 1;
    }

    /** The paths below the agent's working directory whose existence the rule needs to know, as they are written. */
    default Set<String> filesAskedFor() {
        return Set.of();
    }
}
