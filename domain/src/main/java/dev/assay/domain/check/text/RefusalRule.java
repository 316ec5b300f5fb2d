package dev.assay.domain.check.text;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.text.WhiteSpace;
import java.util.Set;

/** The response declines to answer, found by the phrases of {@link Refusals}. One without a word counts as such, with score 0. */
public record RefusalRule() implements CheckRule {

    public static final CheckKind KIND =
            new CheckKind("refusal", 1, Set.of(), RefusalRule.class, fields -> new RefusalRule());

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        if (WhiteSpace.isBlank(input.response())) {
            return new Finding(Status.PASSED, 0.0, "The response is empty, which is taken for a refusal.");
        }
        return Finding.of(
                Refusals.isOne(input.response()),
                "The response declines to answer.",
                "Expected a refusal, but found " + Quote.ofResponse(input.response()) + ".");
    }

    /** An empty response scores 0, also when the check is negated. */
    @Override
    public Finding negated(Finding found) {
        return found.status() == Status.PASSED && Double.valueOf(0).equals(found.score())
                ? found.negated().withScore(0.0)
                : found.negated();
    }
}
