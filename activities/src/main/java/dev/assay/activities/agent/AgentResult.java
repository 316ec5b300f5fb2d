package dev.assay.activities.agent;

import dev.assay.domain.error.Failure;
import dev.assay.domain.evaluation.OutcomeStatus;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent loop came to.
 *
 * @param status COMPLETED, or LIMIT
 * @param failure which limit ended the loop, with code BRANCH_LIMIT; null when it completed
 * @param newMessages what the loop added to the context: the prompts and everything after them
 * @param originalContextLength messages of the context before anything was added
 * @param response the text of the last new assistant message that has one; empty when none has
 * @param usage tokens of all turns
 * @param costUsd cost of all turns; null when there were none, or when that of any is not known
 * @param latency time that the model took to reply, over all turns
 * @param warnings what it warned of, as sentences
 */
public record AgentResult(
        OutcomeStatus status,
        @Nullable Failure failure,
        List<Message> newMessages,
        int originalContextLength,
        String response,
        Usage usage,
        @Nullable BigDecimal costUsd,
        Duration latency,
        List<String> warnings) {

    public AgentResult {
        newMessages = List.copyOf(newMessages);
        warnings = List.copyOf(warnings);
    }
}
