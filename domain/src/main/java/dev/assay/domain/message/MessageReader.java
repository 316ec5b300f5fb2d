package dev.assay.domain.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.Suggestion;
import dev.assay.domain.document.TextRules;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reader of messages that users write: {@code {role, content}}, where content is a text or a list of typed blocks. */
public final class MessageReader {

    private static final Fields MESSAGE = Fields.of("message", "role", "content", "toolResult");
    private static final Fields TOOL_RESULT = Fields.of("toolResult", "callId", "name", "isError");
    private static final Fields TEXT = Fields.of("textBlock", "type", "text");
    private static final Fields THINKING = Fields.of("thinkingBlock", "type", "text", "signature");
    private static final Fields IMAGE = Fields.of("imageBlock", "type", "mediaType", "data");
    private static final Fields TOOL_CALL = Fields.of("toolCallBlock", "type", "id", "name", "arguments");

    /** The fields at each level of a message. */
    public static final List<Fields> FIELDS = List.of(MESSAGE, TOOL_RESULT, TEXT, THINKING, IMAGE, TOOL_CALL);

    private static final Map<String, Role> ROLES = roles();
    private static final Map<String, BlockReader> BLOCKS = blocks();

    private MessageReader() {}

    private interface BlockReader {
        Content read(JsonNode node, String path, Problems problems);
    }

    private static Map<String, Role> roles() {
        Map<String, Role> roles = new LinkedHashMap<>();
        roles.put("user", Role.USER);
        roles.put("assistant", Role.ASSISTANT);
        roles.put("tool", Role.TOOL);
        return roles;
    }

    private static Map<String, BlockReader> blocks() {
        Map<String, BlockReader> blocks = new LinkedHashMap<>();
        blocks.put(
                "text",
                (node, path, problems) -> new Content.Text(
                        FieldReader.of(node, path, TEXT, problems).anyText("text")));
        blocks.put("thinking", MessageReader::thinking);
        blocks.put("image", MessageReader::image);
        blocks.put("tool_call", MessageReader::toolCall);
        return blocks;
    }

    /** Reads one message; null: it is unusable, which was reported. */
    public static @Nullable Message read(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, MESSAGE, problems);
        Role role = role(fields);
        List<Content> content = content(fields, role);
        if (role == null) {
            return null;
        }
        Message.ToolResult result = toolResult(fields, role);
        boolean complete = (role == Role.TOOL) == (result != null);
        JsonNode written = fields.node("content");
        if (role != Role.ASSISTANT && written != null && written.isArray() && written.isEmpty()) {
            fields.problem("content", "`content` must not be an empty list; write what was said.");
        }
        return complete ? new Message(role, content, result) : null;
    }

    /** Reads one prompt, a text of the user or a message; null: it is unusable, which was reported. */
    public static @Nullable Message readPrompt(JsonNode node, String path, Problems problems) {
        if (!node.isObject()) {
            String text = TextRules.fullTextItem(node, path, problems);
            return text == null ? null : Message.user(text);
        }
        Message prompt = read(node, path, problems);
        boolean isMute = prompt != null
                && prompt.role() == Role.USER
                && prompt.text().isBlank()
                && prompt.content().stream().noneMatch(Content.Image.class::isInstance);
        String content = DocumentPath.field(path, "content");
        if (isMute && !problems.foundAt(content)) {
            problems.add(content, "`content` must not be blank; write a text or an image.");
        }
        return prompt;
    }

    private static @Nullable Role role(FieldReader fields) {
        JsonNode role = fields.node("role");
        if (role != null && role.asText().equals("system")) {
            fields.problem(
                    "role",
                    "Role `system` is not allowed in a conversation; write `systemPrompt` in the branch instead.");
            return null;
        }
        return fields.word("role", ROLES);
    }

    /** @param role who speaks; null: not known, so that every block may be the speaker's */
    private static List<Content> content(FieldReader fields, @Nullable Role role) {
        JsonNode content = fields.required("content");
        if (content == null) {
            return List.of();
        }
        if (content.isTextual()) {
            return List.of(new Content.Text(content.textValue()));
        }
        String path = fields.path("content");
        if (!content.isArray()) {
            String found = ActualValue.describe(content) + ActualValue.adviceForText(content);
            fields.problem("content", "`content` must be text or a list of blocks, but is " + found + ".");
            return List.of();
        }
        List<Content> blocks = new ArrayList<>();
        for (int i = 0; i < content.size(); i++) {
            String at = DocumentPath.item(path, i);
            Content block = block(content.get(i), at, fields.problems());
            if (block != null) {
                checkSpeaker(role, content.get(i).path("type").asText(), at, fields.problems());
                blocks.add(block);
            }
        }
        return blocks;
    }

    /** Checks the blocks of a role: providers take no others, or drop them silently. */
    private static void checkSpeaker(@Nullable Role role, String type, String path, Problems problems) {
        if (role != null && !blocksOf(role).contains(type)) {
            problems.add(
                    path,
                    "A message of role " + role.name().toLowerCase(Locale.ROOT) + " has no block of type " + type
                            + ", only " + String.join(", ", blocksOf(role)) + "; remove it.");
        }
    }

    private static List<String> blocksOf(Role role) {
        return switch (role) {
            case USER -> List.of("text", "image");
            case ASSISTANT -> List.of("text", "thinking", "tool_call");
            case TOOL -> List.of("text");
        };
    }

    private static @Nullable Content block(JsonNode node, String path, Problems problems) {
        String type = node.path("type").asText();
        BlockReader reader = node.path("type").isTextual() ? BLOCKS.get(type) : null;
        if (reader != null) {
            return reader.read(node, path, problems);
        }
        if (!node.isObject()) {
            problems.add(
                    path,
                    "`" + path + "` must be a block such as {type: text, text: Hello}, but is "
                            + ActualValue.describe(node) + ".");
        } else if (!node.has("type")) {
            problems.add(DocumentPath.field(path, "type"), "`type` is missing; add it.");
        } else {
            String found = "Unknown block type " + ActualValue.describe(node.path("type")) + "; ";
            problems.add(DocumentPath.field(path, "type"), found + Suggestion.of(type, BLOCKS.keySet(), "types"));
        }
        return null;
    }

    private static Content thinking(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, THINKING, problems);
        return new Content.Thinking(fields.anyText("text"), fields.nullableText("signature"));
    }

    private static Content image(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, IMAGE, problems);
        String mediaType = fields.line("mediaType", 128);
        if (!mediaType.startsWith("image/") && !fields.isWrong("mediaType")) {
            fields.problem("mediaType", "`mediaType` must begin with image/, as in image/png.");
        }
        String data = fields.text("data");
        if (!fields.isWrong("data") && !isBase64(data)) {
            fields.problem("data", "`data` must be the image's bytes in base64.");
        }
        return new Content.Image(mediaType, data);
    }

    private static boolean isBase64(String data) {
        try {
            return Base64.getDecoder().decode(data).length > 0;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private static Content toolCall(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, TOOL_CALL, problems);
        JsonNode arguments = fields.required("arguments");
        if (arguments != null && !arguments.isObject()) {
            fields.problem(
                    "arguments", "`arguments` must be an object, but is " + ActualValue.describe(arguments) + ".");
        }
        return new Content.ToolCall(
                fields.line("id", 256), fields.line("name", 256), Objects.requireNonNullElse(arguments, node));
    }

    private static Message.@Nullable ToolResult toolResult(FieldReader fields, Role role) {
        boolean isTool = role == Role.TOOL;
        if (isTool != fields.hasValue("toolResult")) {
            fields.problem(
                    "toolResult",
                    isTool
                            ? "`toolResult` is missing; say which tool call the message answers."
                            : "`toolResult` belongs to messages of role tool only; remove it.");
            return null;
        }
        FieldReader result = isTool ? fields.object("toolResult", TOOL_RESULT) : null;
        return result == null
                ? null
                : new Message.ToolResult(
                        result.line("callId", 256), result.line("name", 256), result.flag("isError", false));
    }
}
