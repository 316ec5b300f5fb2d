package dev.assay.domain.grading;

import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.usage.Measured;

/**
 * A call of a grader that was made.
 *
 * @param answer what it said, or why it said nothing
 */
public record GradeCall(JudgeAnswer answer, Measured measured) {

    public GradeCall {
        measured = answer.reply() == null ? measured : measured.ofAnswer();
    }
}
