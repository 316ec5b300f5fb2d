package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A provider of the configuration: half of a column.
 *
 * @param branch without id and template
 * @param prompts the prompts that it is asked; empty: all
 * @param path where it stands
 */
record ProviderColumn(String name, ObjectNode branch, List<String> prompts, String path) {

    ProviderColumn {
        prompts = List.copyOf(prompts);
    }

    boolean isAsked(PromptColumn prompt) {
        return prompts.isEmpty() || prompts.stream().anyMatch(prompt::isMeantBy);
    }
}
