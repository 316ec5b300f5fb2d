package dev.assay.store.result;

import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import dev.assay.store.result.OutcomeRow.OutcomeError;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one judge read and said in one trial.
 *
 * @param ordinal number of the trial
 * @param slot number of the call in its trial, from 0
 * @param loopId name of the judge's loop
 * @param status how the call ended
 * @param systemPrompt what the judge was told
 * @param prompt what it was asked, after compaction
 * @param shown branch indexes in the order in which their responses were shown
 * @param reply what it said; null when it failed
 * @param compaction what was cut so that it could read everything
 * @param warning what users should know of what it read and said, as sentences; null: nothing
 * @param usage tokens of the call
 * @param costUsd null where no price is known
 * @param latencyMs milliseconds from request to reply
 * @param attempts how often it was tried
 * @param error why it failed; null when it did not
 * @param finishedAt when it was recorded
 */
public record JudgeCallRow(
        int ordinal,
        int slot,
        String loopId,
        OutcomeStatus status,
        String systemPrompt,
        String prompt,
        List<Integer> shown,
        @Nullable String reply,
        Compaction compaction,
        @Nullable String warning,
        Usage usage,
        @Nullable BigDecimal costUsd,
        long latencyMs,
        int attempts,
        @Nullable OutcomeError error,
        Instant finishedAt) {

    public JudgeCallRow {
        shown = List.copyOf(shown);
    }
}
