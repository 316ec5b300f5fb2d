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
 * @param form how it is asked, and how it answers
 * @param json the request without its id
 * @param timeoutSeconds the longest that the code may take, from when a process reads the request
 */
public record CodeRequest(CodeNeed need, List<String> command, Form form, ObjectNode json, int timeoutSeconds) {

    public CodeRequest {
        command = List.copyOf(command);
    }

    /** How a process is asked and answers. */
    public enum Form {
        /** It serves many requests, each a line. */
        KEPT,
        /** The same, and a request is never repeated: it may have been paid. */
        PAID,
        /** It reads the request to its end, and prints JSON or a text. */
        JSON,
        /** The same, and what it prints is a text whatever it looks like, without its last line feed. */
        TEXT
    }

    /** Whether an interpreter answers. */
    public boolean isInterpreted() {
        return command.isEmpty();
    }

    /** Whether one process serves many requests. */
    public boolean stays() {
        return form == Form.KEPT || form == Form.PAID;
    }

    /** A request to an interpreter. */
    static CodeRequest toInterpreter(CodeLanguage language, ObjectNode json, int timeoutSeconds) {
        return new CodeRequest(new CodeNeed(language, null), List.of(), Form.KEPT, json, timeoutSeconds);
    }
}
