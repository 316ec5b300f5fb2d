package dev.assay.activities.agent;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one agent loop works on: one attempt of one cell.
 *
 * @param agent what answers
 * @param systemPrompt what it is told before the conversation; null: nothing
 * @param limits bounds of the loop
 * @param context the conversation so far, oldest first; without a prompt it must not be empty or end on the assistant
 * @param prompt what the user says next; null: the context is continued as it is (semantics A1)
 * @param trial the trial, from 1
 * @param attempt the attempt of the cell, from 1
 * @param timeout time of the cell, over all its turns
 * @param maxOutputTokens bound of each reply, at least 1
 */
public record AgentTask(
        Agent agent,
        @Nullable String systemPrompt,
        AgentLimits limits,
        List<Message> context,
        @Nullable String prompt,
        int trial,
        int attempt,
        Duration timeout,
        int maxOutputTokens) {

    public AgentTask {
        context = List.copyOf(context);
        if (prompt == null && (context.isEmpty() || context.getLast().role() == Role.ASSISTANT)) {
            throw new IllegalArgumentException(
                    "Without a prompt the context must not be empty and must not end on an assistant message");
        }
        if (trial < 1 || attempt < 1 || maxOutputTokens < 1) {
            throw new IllegalArgumentException("Trial, attempt and maxOutputTokens must be at least 1");
        }
    }
}
