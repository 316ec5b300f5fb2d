package dev.assay.activities.agent;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.LoopId;
import java.time.Duration;
import java.util.List;

/**
 * The task of one agent loop: one attempt of one cell.
 *
 * @param branch what answers, its settings and limits
 * @param context the conversation so far, oldest first; without prompts it must not be empty or end on the assistant
 * @param prompts what is said next, not ending on the assistant; empty: the context is continued as it is (docs/evaluations.md)
 * @param trial the trial, from 1
 * @param attempt the attempt of the cell, from 1
 * @param timeout time of the cell, over all its turns
 * @param maxOutputTokens bound of each reply, at least 1
 */
public record AgentTask(
        LoopId loop,
        Branch branch,
        List<Message> context,
        List<Message> prompts,
        int trial,
        int attempt,
        Duration timeout,
        int maxOutputTokens) {

    public AgentTask {
        context = List.copyOf(context);
        prompts = List.copyOf(prompts);
        List<Message> said = prompts.isEmpty() ? context : prompts;
        if (said.isEmpty() || said.getLast().role() == Role.ASSISTANT) {
            throw new IllegalArgumentException(
                    "The conversation must not be empty and must not end on an assistant message");
        }
        if (trial < 1 || attempt < 1 || maxOutputTokens < 1) {
            throw new IllegalArgumentException("Trial, attempt and maxOutputTokens must be at least 1");
        }
    }
}
