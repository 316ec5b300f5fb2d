package dev.assay.domain.grading;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.judge.JudgePreview;

/**
 * A call of a grader that is to be made.
 *
 * @param check what is graded, and by whom; its rule is a {@link GradedRule}
 */
public record GradeQuestion(GradeSlot slot, Check check, JudgePreview reads) {

    /** The rule of the check. */
    public GradedRule rule() {
        return (GradedRule) check.rule();
    }
}
