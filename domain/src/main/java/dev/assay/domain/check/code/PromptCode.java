package dev.assay.domain.check.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * Own code that says what a branch is asked.
 *
 * @param script a function of a file; where it is run as a program, the file alone
 * @param asProgram whether the file is run as a program of Python, which prints the prompt
 * @param config given to the code as its settings; null: none
 */
public record PromptCode(
        Script script, boolean asProgram, @Nullable JsonNode config) {

    /** What it is for. */
    public CodeUse use() {
        return asProgram ? CodeUse.PRINTED_PROMPT : CodeUse.PROMPT;
    }

    /** As it is written and stored. */
    public ObjectNode json() {
        ObjectNode json = script.json();
        ObjectNode code = (ObjectNode) json.get(script.language().word());
        if (asProgram) {
            code.put("asProgram", true);
        }
        if (config != null) {
            code.set("config", config);
        }
        return json;
    }
}
