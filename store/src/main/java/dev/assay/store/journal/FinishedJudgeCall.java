package dev.assay.store.journal;

import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.error.Failure;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one judge read and said in one trial.
 *
 * @param ordinal number of the trial
 * @param slot number of the call in its trial, from 0
 * @param loopId names the judge's loop
 * @param status how it ended
 * @param systemPrompt what it was told
 * @param prompt what it was asked, after compaction
 * @param shown branch indexes in the order in which their responses were shown
 * @param reply what it said; null when it failed
 * @param compaction what was cut
 * @param warning what users should know of what it read and said, as sentences; null: nothing
 * @param usage tokens
 * @param costUsd cost; null where no price is known
 * @param latency from request to reply
 * @param attempts how often it was tried
 * @param failure why it failed; null when it did not
 */
public record FinishedJudgeCall(
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
        Duration latency,
        int attempts,
        @Nullable Failure failure) {

    public FinishedJudgeCall {
        shown = List.copyOf(shown);
    }
}
