package dev.assay.work.compute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;

/**
 * A task of a compute process: definitions of users, each applied to the same input. A process answers once for each definition,
 * in order, so that its parent knows which one is running.
 *
 * @param <R> the answer for one definition
 */
public sealed interface Task<R>
        permits CheckTask, PatternTask, FillTask, SchemaTask, ToolTask, AnswerTask, DefinitionTask, PreviewTask {

    /** The time of a processor that most definitions may take. */
    Duration CPU = Duration.ofSeconds(5);

    /** The kind, whose word goes into the frame. */
    TaskKind kind();

    /** The definitions, at least one. */
    List<NamedDefinition> definitions();

    /** What they are applied to; written as JSON. */
    Object input();

    /**
     * Reads an answer, which is untrusted.
     *
     * @throws JsonProcessingException when it is none
     * @throws IllegalArgumentException when it is none
     */
    R answer(JsonNode said) throws JsonProcessingException;

    /** The time of a processor that one definition may take. */
    default Duration cpu() {
        return CPU;
    }

    /** Whether the definitions after one that was stopped are still of use. */
    default boolean goesOn() {
        return false;
    }
}
