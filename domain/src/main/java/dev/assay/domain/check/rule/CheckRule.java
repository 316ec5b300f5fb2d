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

    /** What the rule says of an outcome. The same input always gives the same finding. */
    Finding find(CheckInput input);

    /** What a check says that must not hold, by what the rule found. */
    default Finding negated(Finding found) {
        return found.negated();
    }

    /** The paths below the agent's working directory of which the rule must know whether they exist, as they are written. */
    default Set<String> filesAskedFor() {
        return Set.of();
    }
}
