package dev.assay.domain.grading;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.AgentCode;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.CodeUse;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.json.StorableJson;
import dev.assay.domain.message.Message;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers that own code gives: what it is given, and what its replies come to. */
public final class CodeAnswers {

    private static final BigDecimal MOST_USD = BigDecimal.valueOf(1_000_000_000);

    /** The characters of what code says went wrong, at most. */
    private static final int MOST_SAID = 2_000;

    private CodeAnswers() {}

    /** What a reply comes to. */
    public sealed interface Answer {

        /**
         * An answer.
         *
         * @param text of the answer; what is no text is compact JSON
         * @param usage as far as it is reported
         * @param costUsd in US dollars; null: not reported
         * @param warnings of what was reported and cannot be used, as sentences
         */
        record Given(String text, Usage usage, @Nullable BigDecimal costUsd, List<String> warnings) implements Answer {
            public Given {
                warnings = List.copyOf(warnings);
            }
        }

        /** None. */
        record Nothing(String why) implements Answer {}
    }

    /**
     * The request for an answer.
     *
     * @param label names the branch, or what else asks
     * @param prompt what is asked, as {@link #prompt} writes it
     * @param seconds the longest that the code may take
     */
    public static CodeRequest request(
            AgentCode code, String label, String prompt, Map<String, JsonNode> vars, int seconds) {
        Script script = code.script();
        CodeLanguage language = script.language();
        ObjectNode options = Json.mapper()
                .createObjectNode()
                .put("id", language.word() + ":" + code.name())
                .put("label", label);
        options.set("config", code.config() == null ? Json.mapper().createObjectNode() : code.config());
        ObjectNode context = Json.mapper().createObjectNode();
        vars.forEach(context.putObject("vars")::set);
        context.put("prompt", prompt);
        ObjectNode request = CodeCall.request("provider", script, CodeUse.PROVIDER);
        request.set("options", options);
        ArrayNode arguments = request.putArray("arguments").add(prompt);
        if (language == CodeLanguage.PYTHON) {
            arguments.add(options).add(context);
        } else {
            arguments.add(context).add(options);
        }
        return new CodeRequest(script.need(), List.of(), CodeRequest.Form.PAID, request, seconds);
    }

    /**
     * What code is asked: the text of a user's only message, else the conversation as JSON.
     *
     * @param system the system prompt; null: none
     */
    public static String prompt(@Nullable String system, List<Message> messages) {
        String plain =
                system == null && messages.size() == 1 ? messages.getFirst().plainPrompt() : null;
        if (plain != null) {
            return plain;
        }
        ArrayNode all = Json.mapper().createArrayNode();
        if (system != null) {
            all.addObject().put("role", "system").put("content", system);
        }
        return Json.indented(all.addAll((ArrayNode) Json.mapper().valueToTree(messages)));
    }

    /**
     * What {@code reply} comes to.
     *
     * @param name of the code, for people
     */
    public static Answer read(CodeReply reply, String name) {
        return switch (reply) {
            case CodeReply.NotRun(String why) -> new Answer.Nothing(why);
            case CodeReply.Raised(String why) ->
                new Answer.Nothing("The code of " + name + " raised: " + Excerpt.of(why, MOST_SAID));
            case CodeReply.Returned(JsonNode value, String type) -> read(value, type, name);
        };
    }

    private static Answer read(JsonNode returned, @Nullable String type, String name) {
        JsonNode error = returned.path("error");
        if (isSaid(error)) {
            return new Answer.Nothing("The code of " + name + " says: " + Excerpt.of(text(error), MOST_SAID));
        }
        JsonNode output = returned.path("output");
        if (output.isMissingNode() || output.isNull()) {
            String found = type == null ? Excerpt.of(Json.write(StorableJson.of(returned))) : type;
            return new Answer.Nothing("The code of " + name + " must return an object with `output` or `error`, and"
                    + " returned " + found + ".");
        }
        List<String> warnings = new ArrayList<>();
        JsonNode tokens = returned.path("tokenUsage");
        Long input = tokens(tokens, "prompt", warnings);
        Long answered = tokens(tokens, "completion", warnings);
        Long cached = tokens(tokens, "cached", warnings);
        Usage usage = new Usage(
                input, answered, null, cached, null, Usage.total(tokens(tokens, "total", warnings), input, answered));
        return new Answer.Given(text(output), usage, cost(returned.path("cost"), warnings), warnings);
    }

    /** Whether an error is there: what is empty or false says that there is none. */
    private static boolean isSaid(JsonNode error) {
        boolean isEmpty = error.isMissingNode()
                || error.isNull()
                || (error.isTextual() && error.textValue().isEmpty())
                || (error.isBoolean() && !error.booleanValue());
        return !isEmpty;
    }

    private static String text(JsonNode value) {
        return value.isTextual() ? value.textValue() : Json.write(StorableJson.of(value));
    }

    private static @Nullable Long tokens(JsonNode usage, String field, List<String> warnings) {
        JsonNode found = usage.path(field);
        if (found.isMissingNode() || found.isNull()) {
            return null;
        }
        if (found.isIntegralNumber() && found.canConvertToInt() && found.intValue() >= 0) {
            return found.longValue();
        }
        warnings.add(unknown("tokenUsage." + field, found, "a number of tokens"));
        return null;
    }

    private static @Nullable BigDecimal cost(JsonNode found, List<String> warnings) {
        if (found.isMissingNode() || found.isNull()) {
            return null;
        }
        boolean isMoney = found.isNumber()
                && JsonNumbers.isReadable(found)
                && found.decimalValue().signum() >= 0
                && found.decimalValue().compareTo(MOST_USD) <= 0;
        if (isMoney) {
            return found.decimalValue();
        }
        warnings.add(unknown("cost", found, "a number of US dollars"));
        return null;
    }

    private static String unknown(String field, JsonNode found, String what) {
        return "The code reported `" + field + "` as " + Excerpt.of(text(found), 40) + ", which is not " + what
                + ": it counts as unknown.";
    }
}
