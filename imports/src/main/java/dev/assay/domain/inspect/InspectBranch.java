package dev.assay.domain.inspect;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;

/** The branch that answers the samples. */
public record InspectBranch(String name) {

    /** The agent whose answer is the question. */
    private static final String ECHO = "echo";

    /**
     * Reads {@code PROVIDER/MODEL}, or {@code echo}.
     *
     * @throws AssayException INVALID_INPUT when it is neither
     */
    public InspectBranch {
        int slash = name.indexOf('/');
        if (!name.equals(ECHO) && (slash < 1 || slash == name.length() - 1)) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "--branch " + name + " must be PROVIDER/MODEL, such as openai/gpt-5-mini");
        }
    }

    ObjectNode branch(String id) {
        ObjectNode branch = JsonNodeFactory.instance.objectNode().put("id", id);
        if (name.equals(ECHO)) {
            branch.put("kind", "scripted").putObject("script").put("echo", true);
            return branch;
        }
        int slash = name.indexOf('/');
        return branch.put("provider", name.substring(0, slash)).put("model", name.substring(slash + 1));
    }
}
