package dev.assay.store.journal;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.error.Failure;
import dev.assay.domain.grading.GradeSlot;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The question and answer of one judge, grader, or model that a custom strategy asked, in one trial.
 *
 * @param model the name under which a custom strategy asked the model; null: a judge or a grader was asked
 * @param asked its input; the warning is about the reply, too. Of a strategy's ask, the prompt is the messages as JSON
 * @param answer what it said of which branches, or why it said nothing
 * @param measured usage of the call; nothing when it failed
 * @param provenance what was asked for, what was sent and what served it
 * @param evaluator hash of the judge or grader; null: a custom strategy asked, or an earlier build noted none
 */
public record FinishedJudgeCall(
        int ordinal,
        @Nullable String model,
        String loopId,
        OutcomeStatus status,
        JudgePreview asked,
        JudgeAnswer answer,
        Measured measured,
        Provenance provenance,
        int attempts,
        @Nullable String evaluator) {

    public FinishedJudgeCall {
        measured = answer.reply() == null ? measured : measured.ofAnswer();
    }

    /** The same without what was asked, since PostgreSQL refuses it. Its warning says why. */
    FinishedJudgeCall withoutQuestion(String refusal) {
        String warning = "The question is not stored: " + refusal;
        JudgePreview nothing = new JudgePreview("", model == null ? "" : "[]", asked.compaction(), warning);
        return new FinishedJudgeCall(
                ordinal, model, loopId, status, nothing, answer, measured, provenance, attempts, evaluator);
    }

    /** The same as an error, which keeps its own failure where it is one already. */
    FinishedJudgeCall withoutReply(Failure refused) {
        boolean failed = answer.failure() != null;
        return new FinishedJudgeCall(
                ordinal,
                model,
                loopId,
                failed ? status : OutcomeStatus.MODEL_ERROR,
                asked,
                failed ? answer : new JudgeAnswer(answer.slot(), answer.shown(), null, refused, answer.isFinal()),
                measured,
                Provenance.NONE,
                attempts,
                evaluator);
    }

    /** Number of the call in its trial, from 0. */
    public int slot() {
        return answer.slot();
    }

    /** The question, as messages. */
    public List<Message> messages() {
        return model == null
                ? List.of(Message.user(asked.prompt()))
                : List.of(Json.read(asked.prompt(), Message[].class));
    }

    /** The kind of its cell. */
    public CellKind kind() {
        if (GradeSlot.isOne(slot())) {
            return CellKind.GRADE;
        }
        return model == null ? CellKind.JUDGE : CellKind.STRATEGY;
    }

    /** Tokens. */
    public Usage usage() {
        return measured.usage();
    }

    /** Cost in US dollars; null where no price is known. */
    public @Nullable BigDecimal costUsd() {
        return measured.costUsd();
    }
}
