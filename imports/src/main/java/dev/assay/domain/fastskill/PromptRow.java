package dev.assay.domain.fastskill;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A case of {@code prompts.csv}.
 *
 * @param shouldTrigger what the author expects of the skill; kept, never scored
 * @param workspaceSubdir where the agent works, below the workspace; null: in the workspace itself
 * @param metadata the other columns with their cells, in the order of the columns
 */
public record PromptRow(
        String id,
        String prompt,
        boolean shouldTrigger,
        List<String> tags,
        @Nullable String workspaceSubdir,
        Map<String, String> metadata) {

    public PromptRow {
        tags = List.copyOf(tags);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /** The case as a campaign file has it. */
    ObjectNode toCase() {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("id", id).put("prompt", prompt);
        tags.forEach(tag -> node.withArray("tags").add(tag));
        ObjectNode kept = node.putObject("metadata");
        metadata.forEach(kept::put);
        kept.put(PromptsCsv.SHOULD_TRIGGER, shouldTrigger);
        return workspaceSubdir == null ? node : node.put("workspaceSubdir", workspaceSubdir);
    }
}
