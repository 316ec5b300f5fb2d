package dev.assay.domain.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.assay.domain.message.Message;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The question of a case. Prompts may be empty where the context does not end on the assistant, or where branches have templates.
 *
 * @param prompts what is said next, most often by the user; not ending on the assistant
 * @param context the conversation before the prompts, oldest first
 * @param vars what templates of branches are filled with
 */
public record Question(
        @JsonSerialize(contentUsing = PromptJson.class) List<Message> prompts,
        List<Message> context,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, JsonNode> vars) {

    public Question {
        prompts = List.copyOf(prompts);
        context = List.copyOf(context);
        vars = Collections.unmodifiableMap(new LinkedHashMap<>(vars));
    }

    /** Without vars. */
    public Question(List<Message> prompts, List<Message> context) {
        this(prompts, context, Map.of());
    }

    /** Whether only a template of a branch holds the prompt. */
    public boolean needsTemplate() {
        return prompts.isEmpty() && context.isEmpty();
    }
}
