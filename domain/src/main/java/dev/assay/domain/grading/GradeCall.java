package dev.assay.domain.grading;

import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.usage.Measured;
import org.jspecify.annotations.Nullable;

/**
 * A call of a grader that was made.
 *
 * @param answer what it said, or why it said nothing
 * @param evaluator hash of who was asked; null: an earlier build noted none
 */
public record GradeCall(
        JudgeAnswer answer, Measured measured, @Nullable String evaluator) {

    public GradeCall {
        measured = answer.reply() == null ? measured : measured.ofAnswer();
    }
}
