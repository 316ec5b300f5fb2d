package dev.assay.domain.check.rule;

import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.trace.TraceEvent;
import dev.assay.domain.trace.Traces;
import dev.assay.domain.usage.Measured;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The view of a check on an outcome.
 *
 * @param response the text that is checked; empty when there is none
 * @param messages what was added to the conversation: the prompts and everything after them
 * @param finishReason why the model ended its last answer, in the provider's word; null where it does not say
 * @param measured usage, cost and latency of all answers
 */
public record CheckInput(
        String response,
        List<Message> messages,
        @Nullable String finishReason,
        Measured measured,
        Evidence evidence,
        OfferedTools tools) {

    public CheckInput {
        messages = List.copyOf(messages);
    }

    /** A text of which nothing else is known. */
    public static CheckInput of(String response) {
        return new CheckInput(response, List.of(), null, Measured.NONE, Evidence.NONE, OfferedTools.UNKNOWN);
    }

    /** The events, in order: the trace of a program, else those in the messages. */
    public List<TraceEvent> trace() {
        return evidence.stdout() == null && evidence.trace().isEmpty() ? Traces.of(messages) : evidence.trace();
    }

    /** The text that FastSkill's patterns search: stdout, LF, and the trace as JSON Lines. The answer of a model stands for stdout. */
    public String printedAndTrace() {
        String printed = evidence.stdout() == null ? response : evidence.stdout();
        return printed + "\n" + Traces.jsonLines(trace());
    }

    /** Characters of what can be checked, at most. */
    public long length() {
        long printed = evidence.stdout() == null ? 0 : evidence.stdout().length();
        return messages.stream()
                        .mapToLong(message -> message.content().stream()
                                .mapToLong(CheckInput::length)
                                .sum())
                        .sum()
                + response.length()
                + printed;
    }

    private static long length(Content content) {
        return switch (content) {
            case Content.Text(String text) -> text.length();
            default -> 1;
        };
    }

    /** The tools that the model called, in order. */
    public List<Content.ToolCall> toolCalls() {
        return messages.stream()
                .flatMap(message -> message.toolCalls().stream())
                .toList();
    }
}
