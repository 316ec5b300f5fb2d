package dev.assay.domain.grading;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeNeed;
import java.util.List;

/**
 * A request to own code.
 *
 * @param need what it takes to run
 * @param command words of a program; empty: the interpreter of the language answers
 * @param stays whether one process serves many requests; else it reads {@code json} to its end, and prints its answer
 * @param json the request without its id
 * @param timeoutSeconds the longest that the code may take, from when a process reads the request
 */
public record CodeRequest(CodeNeed need, List<String> command, boolean stays, ObjectNode json, int timeoutSeconds) {

    public CodeRequest {
        command = List.copyOf(command);
    }

    /** A request to an interpreter. */
    static CodeRequest toInterpreter(CodeLanguage language, ObjectNode json, int timeoutSeconds) {
        return new CodeRequest(new CodeNeed(language, null), List.of(), true, json, timeoutSeconds);
    }
}
