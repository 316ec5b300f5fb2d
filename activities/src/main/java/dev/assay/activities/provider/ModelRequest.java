package dev.assay.activities.provider;

import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.message.Message;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request to a model.
 *
 * @param choice which model, and how it is asked
 * @param systemPrompt what it is told before the conversation; null: nothing
 * @param messages the conversation; the last one is from the user or a tool
 * @param trial the trial for which it is asked, from 1; replays look answers up by it
 * @param attempt the attempt of the cell, from 1; scripted failures count by it
 * @param maxOutputTokens bound of the reply, at least 1
 * @param timeout how long to wait for the reply
 */
public record ModelRequest(
        ModelChoice choice,
        @Nullable String systemPrompt,
        List<Message> messages,
        int trial,
        int attempt,
        int maxOutputTokens,
        Duration timeout) {

    public ModelRequest {
        messages = List.copyOf(messages);
    }
}
