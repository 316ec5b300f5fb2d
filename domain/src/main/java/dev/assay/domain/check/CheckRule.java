package dev.assay.domain.check;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What one kind of check demands. The components of a rule are the fields of its kind in JSON; each rule says in its own file
 * what users write ({@link CheckKind}), how that is read, and what it finds.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface CheckRule permits EqualsRule, ContainsRule, ContainsIgnoringCaseRule, RegexRule, JsonRule {

    /** The kind that this is a rule of. */
    CheckKind kind();

    /** What the rule says of an outcome. The same input always gives the same finding. */
    Finding find(CheckInput input);
}
