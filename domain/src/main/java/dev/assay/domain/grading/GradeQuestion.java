package dev.assay.domain.grading;

import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.judge.JudgePreview;

/**
 * A call of a grader that is to be made.
 *
 * @param slot its place
 * @param rule what is graded, and by whom
 * @param reads what the grader reads
 */
public record GradeQuestion(GradeSlot slot, GradedRule rule, JudgePreview reads) {}
