package dev.assay.domain.grading;

import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.judge.JudgePreview;

/**
 * A call of a grader that is to be made.
 *
 * @param rule what is graded, and by whom
 */
public record GradeQuestion(GradeSlot slot, GradedRule rule, JudgePreview reads) {}
