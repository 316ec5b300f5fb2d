package dev.assay.domain.check;

import dev.assay.domain.text.CaseFolding;
import java.util.Set;

/** The response contains {@code value}, upper and lower case being the same. */
public record ContainsIgnoringCaseRule(String value) implements CheckRule {

    static final CheckKind KIND = new CheckKind(
            "icontains",
            Set.of("value"),
            ContainsIgnoringCaseRule.class,
            fields -> new ContainsIgnoringCaseRule(ContainsRule.wanted(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        boolean contained = CaseFolding.fold(input.response()).contains(CaseFolding.fold(value));
        return ContainsRule.finding(contained, value, ", in upper or lower case", input.response());
    }
}
