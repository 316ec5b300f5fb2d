package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;

/** The bounds of a server's list of tools, over all answers of a session. */
final class McpListing {

    /** Tools of one server. */
    static final int MAX_TOOLS = 1_000;

    private static final int MAX_PAGES = 100;
    private static final int MAX_CHARACTERS = 4 * 1024 * 1024;

    private int pages;
    private int tools;
    private int characters;

    /**
     * The same answer, counted.
     *
     * @throws IllegalStateException when the list has become too long; the message says how
     */
    synchronized JsonNode counted(JsonNode page) {
        pages++;
        tools += page.path("result").path("tools").size();
        characters += page.toString().length();
        if (tools > MAX_TOOLS) {
            throw new IllegalStateException("It lists more than " + MAX_TOOLS + " tools");
        }
        if (characters > MAX_CHARACTERS) {
            throw new IllegalStateException("Its list of tools has more than " + MAX_CHARACTERS + " characters");
        }
        if (pages > MAX_PAGES) {
            throw new IllegalStateException("It lists its tools in more than " + MAX_PAGES + " pages");
        }
        return page;
    }
}
