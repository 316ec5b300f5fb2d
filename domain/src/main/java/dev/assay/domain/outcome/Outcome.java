package dev.assay.domain.outcome;

import dev.assay.domain.check.CheckResult;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one branch produced in one trial.
 *
 * @param ordinal number of the trial (see {@link dev.assay.domain.plan.TrialGrid})
 * @param branchIndex 0-based, into the campaign's branches
 * @param loopId names the agent loop: {@code {session}.{segment}.{N}} (semantics A5)
 * @param status how it ended
 * @param newMessages what was added to the context: the prompt and everything after it
 * @param originalContextLength messages of the context before anything was added
 * @param response text that checks and judges read; empty when there is none
 * @param usage tokens of all attempts that answered
 * @param costUsd cost of {@code usage}; null where no price is known
 * @param latency time from the first request to the last answer of the attempt that ended the cell
 * @param attempts how often the cell was tried, at least 1 when a provider was asked
 * @param failure why it did not complete; null when it did
 * @param checks what the checks said; empty when the outcome did not complete
 */
public record Outcome(
        int ordinal,
        int branchIndex,
        String loopId,
        OutcomeStatus status,
        List<Message> newMessages,
        int originalContextLength,
        String response,
        Usage usage,
        @Nullable BigDecimal costUsd,
        Duration latency,
        int attempts,
        @Nullable Failure failure,
        List<CheckResult> checks) {

    public Outcome {
        newMessages = List.copyOf(newMessages);
        checks = List.copyOf(checks);
    }
}
