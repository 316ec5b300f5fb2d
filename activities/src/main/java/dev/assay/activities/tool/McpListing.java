package dev.assay.activities.tool;

import dev.assay.domain.json.Json;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.ArrayList;
import java.util.List;

/** A server's list of tools, page by page, and its bounds. */
final class McpListing {

    /** Tools of one server. */
    static final int MAX_TOOLS = 1_000;

    private static final int MAX_PAGES = 100;
    private static final int MAX_CHARACTERS = 4 * 1024 * 1024;

    private final List<McpSchema.Tool> tools = new ArrayList<>();
    private int pages;
    private int characters;

    /**
     * Takes the next page.
     *
     * @throws IllegalStateException when the list has become too long; the message says how
     */
    void add(McpSchema.ListToolsResult page) {
        pages++;
        tools.addAll(page.tools());
        characters += Json.mapper().valueToTree(page).toString().length();
        if (tools.size() > MAX_TOOLS) {
            throw new IllegalStateException("It lists more than " + MAX_TOOLS + " tools");
        }
        if (characters > MAX_CHARACTERS) {
            throw new IllegalStateException("Its list of tools has more than " + MAX_CHARACTERS + " characters");
        }
        if (pages > MAX_PAGES) {
            throw new IllegalStateException("It lists its tools in more than " + MAX_PAGES + " pages");
        }
    }

    /** The tools of the pages so far. */
    List<McpSchema.Tool> tools() {
        return tools;
    }
}
