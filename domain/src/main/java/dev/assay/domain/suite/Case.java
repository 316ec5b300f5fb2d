package dev.assay.domain.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.Checks;
import dev.assay.domain.message.Message;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A question to all branches, with the checks that their answers must pass.
 *
 * @param id unique in the suite, 1–128 characters
 * @param question what is asked, and what of
 * @param checks the rules of this case, the suite's default checks included, and what they must come to
 * @param metadata anything else that the suite's author wants to keep with the case
 * @param workspaceSubdir where command agents work, below the workspace (see {@link dev.assay.domain.document.InnerPath}); null: in the
 *     workspace itself
 */
public record Case(
        String id,
        @JsonUnwrapped Question question,
        @JsonUnwrapped Checks checks,
        List<String> tags,
        Map<String, String> metadata,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String workspaceSubdir) {

    public Case {
        tags = List.copyOf(tags);
        metadata = Map.copyOf(metadata);
    }

    /** A case that is asked in the workspace itself. */
    public Case(
            String id,
            List<Message> prompts,
            List<Message> context,
            List<Check> checks,
            List<String> tags,
            Map<String, String> metadata) {
        this(id, new Question(prompts, context), new Checks(checks), tags, metadata, null);
    }

    /** The next messages, most often of the user; not ending on the assistant. */
    public List<Message> prompts() {
        return question.prompts();
    }

    /** The conversation before the prompts, oldest first. */
    public List<Message> context() {
        return question.context();
    }

    /** The vars that fill templates of branches. */
    public Map<String, JsonNode> vars() {
        return question.vars();
    }

    /** The case with other prompts. */
    public Case withPrompts(List<Message> prompts) {
        return new Case(id, new Question(prompts, context(), vars()), checks, tags, metadata, workspaceSubdir);
    }
}
