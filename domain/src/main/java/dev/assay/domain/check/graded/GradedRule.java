package dev.assay.domain.check.graded;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckRule;
import org.jspecify.annotations.Nullable;

/**
 * A rule that a model decides, or measures for. The model is asked after the response is on record; until then the check is
 * unscored.
 */
public sealed interface GradedRule extends CheckRule permits QuestionRule, SimilarRule {

    /** The grader, as users write it; null: the campaign's grader. */
    @Nullable
    JsonNode grader();
}
