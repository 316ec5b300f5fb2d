package dev.assay.domain.judge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a {@link JudgePreviewRequest} that a user wrote: finds every error at once, each with its path. */
public final class JudgePreviewReader {

    private static final List<String> NAMES = List.of(
            "priorContext", "context", "query", "responses", "maxContextTokens", "systemPrompt", "reply", "fence");

    private final JsonNode document;
    private final List<FieldError> errors = new ArrayList<>();

    private JudgePreviewReader(JsonNode document) {
        this.document = document;
    }

    /**
     * Reads {@code document}.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static JudgePreviewRequest read(JsonNode document) {
        return new JudgePreviewReader(document).read();
    }

    private JudgePreviewRequest read() {
        if (!document.isObject()) {
            throw invalid(List.of(new FieldError("", "A judge preview is an object with query and responses.")));
        }
        Set<String> known = Set.copyOf(NAMES);
        document.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                error(name, "There is no such field; the fields are " + String.join(", ", NAMES) + ".");
            }
        });
        String priorContext = optionalText("priorContext");
        List<Message> context = messages();
        String query = optionalText("query");
        List<String> responses = responses();
        Integer maxContextTokens = maxContextTokens();
        String systemPrompt = optionalText("systemPrompt");
        JudgeForm form = new JudgeForm(reply(), fence());
        if (priorContext != null && !priorContext.isEmpty() && context != null && !context.isEmpty()) {
            error("context", "Give priorContext or context, not both.");
        }
        if (query == null && field("query").isMissingNode()) {
            error("query", "Say what the responses answer.");
        }
        if (query == null || !errors.isEmpty()) {
            throw invalid(errors);
        }
        return new JudgePreviewRequest(priorContext, context, query, responses, maxContextTokens, systemPrompt, form);
    }

    private static AssayException invalid(List<FieldError> errors) {
        return AssayException.invalid("The judge preview has errors.", errors);
    }

    private void error(String path, String message) {
        errors.add(new FieldError(path, message));
    }

    /** The field, missing when it is absent or null. */
    private JsonNode field(String name) {
        JsonNode value = document.path(name);
        return value.isNull() ? MissingNode.getInstance() : value;
    }

    private @Nullable String optionalText(String name) {
        JsonNode value = field(name);
        if (!value.isMissingNode() && !value.isTextual()) {
            error(name, "Must be a text.");
        }
        return value.textValue();
    }

    private List<String> responses() {
        List<String> responses = new ArrayList<>();
        JsonNode values = field("responses");
        if (!values.isArray() || values.isEmpty()) {
            error("responses", "Must be a list of at least one text.");
            return responses;
        }
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).isTextual()) {
                responses.add(values.get(i).textValue());
            } else {
                error("responses[" + i + "]", "Must be a text.");
            }
        }
        return responses;
    }

    private @Nullable Integer maxContextTokens() {
        JsonNode value = field("maxContextTokens");
        if (value.isMissingNode()) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0) {
            error("maxContextTokens", "Must be a whole number from 0 to " + Integer.MAX_VALUE + ".");
            return null;
        }
        return value.intValue();
    }

    private JudgeForm.Reply reply() {
        String word = optionalText("reply");
        if (word == null) {
            return JudgeForm.Reply.PLAIN;
        }
        Map<String, JudgeForm.Reply> replies = JudgeForm.Reply.byWord();
        JudgeForm.Reply reply = replies.get(word);
        if (reply == null) {
            error("reply", "Must be one of " + String.join(", ", replies.keySet()) + ".");
            return JudgeForm.Reply.PLAIN;
        }
        return reply;
    }

    private boolean fence() {
        JsonNode value = field("fence");
        if (!value.isMissingNode() && !value.isBoolean()) {
            error("fence", "Must be true or false.");
        }
        return value.asBoolean();
    }

    private @Nullable List<Message> messages() {
        JsonNode values = field("context");
        if (values.isMissingNode()) {
            return null;
        }
        if (!values.isArray()) {
            error("context", "Must be a list of messages.");
            return null;
        }
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Message message = message(values.get(i));
            if (message == null) {
                error(
                        "context[" + i + "]",
                        "Must be a message: role user, assistant or tool (with toolResult), and content, a text or a"
                                + " list of typed blocks.");
            } else {
                messages.add(message);
            }
        }
        return messages;
    }

    /** The message; null when {@code json} is none. */
    private static @Nullable Message message(JsonNode json) {
        try {
            Message message = Json.mapper().treeToValue(json, Message.class);
            return message != null && isWhole(message) ? message : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /** Jackson fills what a user left out with null, against the declared types. */
    @SuppressWarnings("ConstantValue")
    private static boolean isWhole(Message message) {
        boolean texts = message.content().stream()
                .allMatch(block -> !(block instanceof Content.Text(String text)) || text != null);
        Message.ToolResult toolResult = message.toolResult();
        return message.role() != null && texts && (toolResult == null || toolResult.name() != null);
    }
}
