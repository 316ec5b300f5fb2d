package dev.assay.activities.model;

import dev.assay.domain.json.Json;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.message.Message;
import dev.assay.domain.tool.ToolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request to a model; its client knows which model that is.
 *
 * @param systemPrompt given before the conversation; null: none
 * @param messages the conversation; the last one is from the user or a tool
 * @param tools what it may call
 * @param trial the trial for which it is asked, from 1; replays look answers up by it
 * @param attempt the attempt of the cell, from 1; scripted failures count by it
 * @param turn the turn of the agent loop, from 1; scripts go by it
 * @param maxOutputTokens bound of the reply, at least 1
 * @param timeout how long to wait for the reply
 * @param compares whether embeddings are asked for instead of an answer. The only message is then a JSON list of texts. The reply
 *     is a JSON list of numbers, −1–1: how like the first text is to each other one
 * @param repeats run before the request is sent once more in another form, which its provider counts again; null: nothing is
 * @param key the name of the key that it bears; null: its client's first, if there is one
 * @param hears told the headers of a success; null: nobody is
 */
public record ModelRequest(
        @Nullable String systemPrompt,
        List<Message> messages,
        List<ToolSpec> tools,
        int trial,
        int attempt,
        int turn,
        int maxOutputTokens,
        Duration timeout,
        boolean compares,
        @Nullable Runnable repeats,
        @Nullable String key,
        @Nullable Consumer<AnswerHeaders> hears) {

    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }

    /** A request for an answer. */
    public ModelRequest(
            @Nullable String systemPrompt,
            List<Message> messages,
            List<ToolSpec> tools,
            int trial,
            int attempt,
            int turn,
            int maxOutputTokens,
            Duration timeout) {
        this(systemPrompt, messages, tools, trial, attempt, turn, maxOutputTokens, timeout, false, null, null, null);
    }

    /** The first and only turn of a loop without tools. */
    public ModelRequest(
            @Nullable String systemPrompt,
            List<Message> messages,
            int trial,
            int attempt,
            int maxOutputTokens,
            Duration timeout) {
        this(systemPrompt, messages, List.of(), trial, attempt, 1, maxOutputTokens, timeout);
    }

    /** The same request for embeddings. */
    public ModelRequest comparing() {
        return with(true, repeats, key, hears);
    }

    /** The same request; {@code heard} is told when it is sent once more. */
    public ModelRequest repeating(Runnable heard) {
        return with(compares, heard, key, hears);
    }

    /** The same request with the key of this name; null: its client's first, if there is one. */
    public ModelRequest bearing(@Nullable String named) {
        return with(compares, repeats, named, hears);
    }

    /** The same request; {@code listener} is told the headers of its answer. */
    public ModelRequest hearing(Consumer<AnswerHeaders> listener) {
        return with(compares, repeats, key, listener);
    }

    private ModelRequest with(
            boolean comparing,
            @Nullable Runnable repeating,
            @Nullable String named,
            @Nullable Consumer<AnswerHeaders> hearing) {
        return new ModelRequest(
                systemPrompt,
                messages,
                tools,
                trial,
                attempt,
                turn,
                maxOutputTokens,
                timeout,
                comparing,
                repeating,
                named,
                hearing);
    }

    /** Called by a client when the request was answered with a success. */
    public void answered(AnswerHeaders headers) {
        if (hears != null) {
            hears.accept(headers);
        }
    }

    /** Called by a client before it sends the request once more. */
    public void repeat() {
        if (repeats != null) {
            repeats.run();
        }
    }

    /** The texts that are compared. */
    public List<String> texts() {
        List<String> texts = new ArrayList<>();
        Json.tree(messages.getFirst().text()).forEach(text -> texts.add(text.textValue()));
        return texts;
    }
}
