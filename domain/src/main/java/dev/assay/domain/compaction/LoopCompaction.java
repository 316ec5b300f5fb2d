package dev.assay.domain.compaction;

import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the texts of a loop's conversation, by the tiers of docs/judging.md, until it fits. It cuts those before the last turn first,
 * tier by tier, then those of the last turn too. No message goes, so that no tool call loses its result. The system prompt, the
 * last user message, the arguments of tool calls and signed thoughts stay as they are. Other thoughts are not sent, and do not
 * count.
 */
public final class LoopCompaction {

    private static final int TIERS = 3;
    private static final int TAIL_LINES = 80;

    /** No text is cut below this many bytes, however small the window. */
    private static final long LEAST_BYTES = 200;

    private static final Content NO_IMAGE = new Content.Text("[image left out]");

    private LoopCompaction() {}

    /**
     * A conversation to be sent.
     *
     * @param tokens its estimate, the system prompt included
     * @param satisfied whether it fits
     */
    public record Result(List<Message> messages, long tokens, boolean satisfied) {

        public Result {
            messages = List.copyOf(messages);
        }
    }

    /** The estimate of the request: system prompt, texts, arguments and images. */
    public static long tokens(@Nullable String systemPrompt, List<Message> messages) {
        return (systemPrompt == null ? 0 : TokenEstimate.of(systemPrompt))
                + messages.stream().mapToLong(LoopCompaction::tokens).sum();
    }

    private static long tokens(Message message) {
        return message.content().stream()
                .mapToLong(block -> switch (block) {
                    case Content.Text(String text) -> TokenEstimate.of(text);
                    case Content.Thinking thinking ->
                        thinking.signature() == null ? 0 : TokenEstimate.of(thinking.text());
                    case Content.Image image -> TokenEstimate.of(image.data());
                    case Content.ToolCall call ->
                        TokenEstimate.of(call.name())
                                + TokenEstimate.of(call.arguments().toString());
                })
                .sum();
    }

    /**
     * Cuts as much as is needed.
     *
     * @param messages not empty
     * @param maxTokens what may be sent, estimated, at least 1
     */
    public static Result compact(@Nullable String systemPrompt, List<Message> messages, int maxTokens) {
        List<Message> current = messages;
        int lastTurn = lastIndexOf(messages, Role.ASSISTANT);
        for (int from : new int[] {Math.max(0, lastTurn), messages.size()}) {
            for (int tier = 1; tier <= TIERS && tokens(systemPrompt, current) > maxTokens; tier++) {
                current = cut(systemPrompt, current, from, tier, maxTokens);
            }
        }
        long tokens = tokens(systemPrompt, current);
        return new Result(current, tokens, tokens <= maxTokens);
    }

    private static int lastIndexOf(List<Message> messages, Role role) {
        return messages.stream().map(Message::role).toList().lastIndexOf(role);
    }

    /** Cuts the messages before {@code end}, the last user message excepted. */
    private static List<Message> cut(
            @Nullable String systemPrompt, List<Message> messages, int end, int tier, int maxTokens) {
        int question = lastIndexOf(messages, Role.USER);
        long texts = 0;
        long textTokens = 0;
        for (int i = 0; i < end; i++) {
            if (i != question) {
                for (Content block : messages.get(i).content()) {
                    if (block instanceof Content.Text(String text)) {
                        texts++;
                        textTokens += TokenEstimate.of(text);
                    }
                }
            }
        }
        long room = Math.max(0, maxTokens - (tokens(systemPrompt, messages) - textTokens));
        long share = Math.max(LEAST_BYTES, TokenEstimate.bytes(room) / Math.max(1, texts));
        List<Message> shorter = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            shorter.add(i < end && i != question ? cut(message, tier, share) : message);
        }
        return shorter;
    }

    private static Message cut(Message message, int tier, long maxBytes) {
        List<Content> content = message.content().stream()
                .map(block -> switch (block) {
                    case Content.Text(String text) -> new Content.Text(cut(text, tier, maxBytes));
                    case Content.Image image -> tier == TIERS ? NO_IMAGE : image;
                    case Content.Thinking thinking -> thinking;
                    case Content.ToolCall call -> call;
                })
                .toList();
        return new Message(message.role(), content, message.toolResult());
    }

    private static String cut(String text, int tier, long maxBytes) {
        return switch (tier) {
            case 1 -> CompactionTiers.tailLines(text, TAIL_LINES);
            case 2 -> CompactionTiers.firstAndLastParagraph(text);
            case 3 -> CompactionTiers.limit(text, maxBytes);
            default -> throw new IllegalArgumentException("There is no tier " + tier);
        };
    }
}
