package dev.assay.store.journal;

import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What one judge read and said in one trial.
 *
 * @param ordinal number of the trial
 * @param loopId names the judge's loop
 * @param status how it ended
 * @param asked what it read; the warning is of what it said, too
 * @param answer what it said of which branches, or why it said nothing
 * @param measured what the call took; nothing when it failed
 * @param attempts how often it was tried
 */
public record FinishedJudgeCall(
        int ordinal,
        String loopId,
        OutcomeStatus status,
        JudgePreview asked,
        JudgeAnswer answer,
        Measured measured,
        int attempts) {

    /** Number of the call in its trial, from 0. */
    public int slot() {
        return answer.slot();
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
