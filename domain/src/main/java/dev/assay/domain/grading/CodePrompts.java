package dev.assay.domain.grading;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.code.PromptCode;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.StorableJson;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.MessageReader;
import dev.assay.domain.message.Role;
import dev.assay.domain.suite.Case;
import dev.assay.domain.template.Template;
import dev.assay.domain.text.StorableText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prompts that own code makes: what it is given, and what its replies come to. */
public final class CodePrompts {

    private static final String SYSTEM = "system";

    private CodePrompts() {}

    /** What a reply comes to. */
    public sealed interface Made {

        /**
         * A template over the vars.
         *
         * @param config parameters of the model; null: none
         */
        record Text(String template, @Nullable ObjectNode config) implements Made {}

        /**
         * What is sent as it is.
         *
         * @param config parameters of the model; null: none
         */
        record Final(Template.Filled prompt, @Nullable ObjectNode config) implements Made {}

        /** Nothing that can be sent. */
        record Nothing(String why) implements Made {}
    }

    /** The request for the prompt of a case. */
    public static CodeRequest request(PromptCode code, Branch branch, Case suiteCase) {
        ObjectNode argument = Json.mapper().createObjectNode();
        ObjectNode vars = argument.putObject("vars");
        suiteCase.vars().forEach(vars::set);
        argument.set("provider", CodeCall.provider(branch));
        if (code.config() != null) {
            argument.set("config", code.config());
        }
        CodeLanguage language = code.script().language();
        if (code.asProgram()) {
            List<String> command =
                    List.of(language.interpreter(), String.valueOf(code.script().file()), argument.toString());
            return new CodeRequest(
                    code.script().need(),
                    command,
                    CodeRequest.Form.TEXT,
                    Json.mapper().createObjectNode(),
                    CodeRule.DEFAULT_SECONDS);
        }
        ObjectNode request = CodeCall.request("prompt", code.script(), code.use());
        request.putArray("arguments").add(argument);
        return CodeRequest.toInterpreter(language, request, CodeRule.DEFAULT_SECONDS);
    }

    /** What {@code reply} comes to. */
    public static Made read(CodeReply reply) {
        return switch (reply) {
            case CodeReply.NotRun(String why) -> new Made.Nothing(why);
            case CodeReply.Raised(String why) -> new Made.Nothing("The code of the prompt raised: " + why);
            case CodeReply.Returned(JsonNode _, String type)
            when type != null -> new Made.Nothing("The code of the prompt returned no prompt: " + type);
            case CodeReply.Returned(JsonNode value, String _) -> read(StorableJson.of(value));
        };
    }

    private static Made read(JsonNode value) {
        boolean isWrapped = value.isObject() && value.has("prompt");
        JsonNode prompt = isWrapped ? value.get("prompt") : value;
        ObjectNode config = isWrapped && value.get("config") instanceof ObjectNode own ? own : null;
        if (prompt.isTextual()) {
            return new Made.Text(prompt.textValue(), config);
        }
        return prompt.isContainerNode()
                ? ofJson(prompt, config)
                : new Made.Nothing("The code of the prompt returned neither a text, an object nor a list: " + prompt);
    }

    /** What is sent where the filled text is {@code text}: JSON that is a list of messages is a conversation. */
    public static Made ofText(String text, @Nullable ObjectNode config) {
        JsonNode json = text.stripLeading().startsWith("[") ? CodeReply.json(text) : null;
        return json == null ? said(text, config) : areMessages(json) ? ofJson(json, config) : said(text, config);
    }

    private static Made said(String text, @Nullable ObjectNode config) {
        return text.isBlank()
                ? new Made.Nothing("The code of the prompt returned a blank text.")
                : new Made.Final(new Template.Filled(null, List.of(Message.user(StorableText.of(text)))), config);
    }

    private static Made ofJson(JsonNode json, @Nullable ObjectNode config) {
        return areMessages(json) ? conversation(json, config) : said(Json.write(json), config);
    }

    /** Whether JSON is meant as a list of messages: objects that all name a role. */
    private static boolean areMessages(JsonNode json) {
        boolean all = json.isArray() && !json.isEmpty();
        for (JsonNode item : json) {
            all &= item.path("role").isTextual();
        }
        return all;
    }

    private static Made conversation(JsonNode list, @Nullable ObjectNode config) {
        String system = null;
        List<Message> prompts = new ArrayList<>();
        Problems problems = new Problems();
        for (int i = 0; i < list.size(); i++) {
            JsonNode item = list.get(i);
            if (i == 0
                    && item.path("role").asText().equals(SYSTEM)
                    && item.path("content").isTextual()) {
                system = item.get("content").textValue();
                continue;
            }
            Message message = MessageReader.readPrompt(item, "[" + i + "]", problems);
            if (message != null) {
                prompts.add(message);
            }
        }
        if (!problems.none()) {
            return new Made.Nothing("The code of the prompt returned a list of messages that cannot be sent. "
                    + problems.errors().getFirst().message());
        }
        return prompts.isEmpty() || prompts.getLast().role() == Role.ASSISTANT
                ? new Made.Nothing("The messages of the prompt must end on what the model answers, such as a user's.")
                : new Made.Final(new Template.Filled(system, prompts), config);
    }
}
