package dev.assay.domain.suite;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.assay.domain.check.Check;
import dev.assay.domain.message.Message;
import java.util.List;
import java.util.Map;

/**
 * What a branch is asked, with the checks that its answers must pass.
 *
 * @param id unique in the suite, 1–128 characters
 * @param prompts what is said next, most often by the user; not ending on the assistant. Empty: nor does {@code context} end so
 * @param context the conversation before the prompts, oldest first
 * @param checks the rules of this case, the suite's default checks included
 * @param tags for filtering and grouping
 * @param metadata anything else that the suite's author wants to keep with the case
 */
public record Case(
        String id,
        @JsonSerialize(contentUsing = PromptJson.class) List<Message> prompts,
        List<Message> context,
        List<Check> checks,
        List<String> tags,
        Map<String, String> metadata) {

    public Case {
        prompts = List.copyOf(prompts);
        context = List.copyOf(context);
        checks = List.copyOf(checks);
        tags = List.copyOf(tags);
        metadata = Map.copyOf(metadata);
    }
}
