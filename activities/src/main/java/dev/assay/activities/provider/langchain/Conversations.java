package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Translates conversations to LangChain4j's messages and its replies back. */
final class Conversations {

    /** LangChain4j's name of the signature of a thought. */
    private static final String SIGNATURE = "thinking_signature";

    private Conversations() {}

    /** The messages to send. A blank system prompt is none. Signed thoughts are sent back. */
    static List<ChatMessage> toLangChain(@Nullable String systemPrompt, List<Message> messages) {
        List<ChatMessage> all = new ArrayList<>(messages.size() + 1);
        if (systemPrompt != null && !systemPrompt.isBlank()) {
            all.add(SystemMessage.from(systemPrompt));
        }
        for (Message message : messages) {
            all.add(
                    switch (message.role()) {
                        case USER -> user(message);
                        case ASSISTANT -> assistant(message);
                        case TOOL -> tool(message);
                    });
        }
        return all;
    }

    private static ChatMessage user(Message message) {
        List<dev.langchain4j.data.message.Content> contents = new ArrayList<>();
        for (Content block : message.content()) {
            switch (block) {
                case Content.Text(String text) -> contents.add(TextContent.from(text));
                case Content.Image(String mediaType, String data) -> contents.add(ImageContent.from(data, mediaType));
                case Content.Thinking ignored -> throw misplaced("a thought");
                case Content.ToolCall ignored -> throw misplaced("a tool call");
            }
        }
        if (contents.isEmpty()) {
            throw new IllegalArgumentException("a user message is empty");
        }
        return UserMessage.from(contents);
    }

    private static IllegalArgumentException misplaced(String what) {
        return new IllegalArgumentException("a user message holds " + what + ", which only an assistant message can");
    }

    private static ChatMessage assistant(Message message) {
        List<ToolExecutionRequest> calls = new ArrayList<>();
        for (Content block : message.content()) {
            if (block instanceof Content.ToolCall(String id, String name, JsonNode arguments)) {
                calls.add(ToolExecutionRequest.builder()
                        .id(id)
                        .name(name)
                        .arguments(arguments.isTextual() ? arguments.textValue() : arguments.toString())
                        .build());
            }
        }
        String text = message.text();
        AiMessage.Builder builder = AiMessage.builder()
                .text(text.isEmpty() && !calls.isEmpty() ? null : text)
                .toolExecutionRequests(calls);
        for (Content block : message.content()) {
            if (block instanceof Content.Thinking(String thought, String signature) && signature != null) {
                builder.thinking(thought).attributes(Map.of(SIGNATURE, signature));
            }
        }
        return builder.build();
    }

    private static ChatMessage tool(Message message) {
        Message.ToolResult result = Objects.requireNonNull(message.toolResult());
        return ToolExecutionResultMessage.builder()
                .id(result.callId())
                .toolName(result.name())
                .text(message.text())
                .isError(result.isError())
                .build();
    }

    /** The reply: thoughts, text and tool calls, those that are there. */
    static Message fromLangChain(AiMessage reply) {
        List<Content> content = new ArrayList<>();
        if (reply.thinking() != null && !reply.thinking().isBlank()) {
            content.add(new Content.Thinking(reply.thinking(), reply.attribute(SIGNATURE, String.class)));
        }
        if (reply.text() != null && !reply.text().isEmpty()) {
            content.add(new Content.Text(reply.text()));
        }
        for (ToolExecutionRequest call : reply.toolExecutionRequests()) {
            String id = call.id() == null ? "" : call.id();
            content.add(new Content.ToolCall(id, call.name(), arguments(call.arguments())));
        }
        return new Message(Role.ASSISTANT, content, null);
    }

    /**
     * A model may write arguments that are no JSON, or hold numbers that cannot be written out. They are kept as a text, so that
     * the tool's error can show them.
     */
    private static JsonNode arguments(@Nullable String arguments) {
        if (arguments == null || arguments.isBlank()) {
            return Json.mapper().createObjectNode();
        }
        try {
            JsonNode json = Json.mapper().readTree(arguments);
            return json != null && json.isObject() && JsonNumbers.areReadable(json)
                    ? json
                    : TextNode.valueOf(arguments);
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(arguments);
        }
    }
}
