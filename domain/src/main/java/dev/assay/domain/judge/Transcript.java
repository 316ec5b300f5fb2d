package dev.assay.domain.judge;

import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.suite.Case;
import dev.assay.domain.text.WhiteSpace;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns messages into the text that judges read (docs/judging.md). Only text survives: no thinking, images or arguments. */
public final class Transcript {

    private Transcript() {}

    /** One entry per message with non-blank text, joined with LF. */
    public static String format(List<Message> messages) {
        return messages.stream()
                .filter(Transcript::hasText)
                .map(message -> speaker(message) + ": " + message.text())
                .collect(Collectors.joining("\n"));
    }

    /**
     * The conversation of {@code suiteCase}: its prompts after its context, or its context alone when it has no prompt. Where each
     * branch has words of its own for the vars, it is the vars.
     */
    public static Conversation of(Case suiteCase) {
        if (suiteCase.question().needsTemplate()) {
            return new Conversation("", vars(suiteCase));
        }
        return suiteCase.prompts().isEmpty()
                ? ofContext(suiteCase.context())
                : ofPrompts(suiteCase.context(), suiteCase.prompts());
    }

    private static String vars(Case suiteCase) {
        return suiteCase.vars().entrySet().stream()
                .map(entry -> entry.getKey() + ": "
                        + (entry.getValue().isTextual() ? entry.getValue().textValue() : entry.getValue()))
                .collect(Collectors.joining("\n"));
    }

    /**
     * Prompt mode: the whole {@code context} is prior, and the text blocks of all user messages among {@code prompts}, joined
     * with LF, are the query.
     */
    public static Conversation ofPrompts(List<Message> context, List<Message> prompts) {
        String query = prompts.stream()
                .filter(prompt -> prompt.role() == Role.USER)
                .flatMap(Transcript::texts)
                .collect(Collectors.joining("\n"));
        return new Conversation(format(context), query);
    }

    /**
     * Continue mode: the last user message of {@code context} with non-blank text is the query, and everything before it is
     * prior. When there is none, the query is empty and the whole context is prior.
     *
     * @param context the messages before the branches added any
     */
    public static Conversation ofContext(List<Message> context) {
        for (int i = context.size() - 1; i >= 0; i--) {
            Message message = context.get(i);
            if (message.role() == Role.USER && hasText(message)) {
                return new Conversation(format(context.subList(0, i)), message.text());
            }
        }
        return new Conversation(format(context), "");
    }

    /** A branch's response: the text of the last assistant message with non-blank text in {@code newMessages}, else empty. */
    public static String response(List<Message> newMessages) {
        return newMessages.reversed().stream()
                .filter(message -> message.role() == Role.ASSISTANT && hasText(message))
                .map(Message::text)
                .findFirst()
                .orElse("");
    }

    private static Stream<String> texts(Message message) {
        return message.content().stream()
                .filter(Content.Text.class::isInstance)
                .map(block -> ((Content.Text) block).text());
    }

    private static boolean hasText(Message message) {
        return !WhiteSpace.isBlank(message.text());
    }

    private static String speaker(Message message) {
        Message.ToolResult toolResult = message.toolResult();
        if (toolResult != null) {
            return "Tool [" + toolResult.name() + "]";
        }
        return message.role() == Role.USER ? "User" : "Assistant";
    }
}
