package dev.assay.domain.check.text;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.text.CaseFolding;
import java.util.Set;

/** The response contains {@code value}, upper and lower case being the same. */
public record ContainsIgnoringCaseRule(String value) implements CheckRule {

    public static final CheckKind KIND = new CheckKind(
            "icontains",
            1,
            Set.of("value"),
            ContainsIgnoringCaseRule.class,
            fields -> new ContainsIgnoringCaseRule(ExpectedText.one(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public long comparisons() {
        return value.length();
    }

    @Override
    public Finding find(CheckInput input) {
        boolean contained = CaseFolding.fold(input.response()).contains(CaseFolding.fold(value));
        return ContainsRule.finding(contained, value, ", in upper or lower case", input.response());
    }
}
