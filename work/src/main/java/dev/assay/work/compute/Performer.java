package dev.assay.work.compute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** The work of one task inside a compute process, with its input read. */
@FunctionalInterface
public interface Performer {

    /** The answer for one definition; written as JSON. */
    @Nullable
    Object perform(SentDefinition definition);

    /** Makes the performer of a task from its input. */
    @FunctionalInterface
    interface Maker {
        Performer of(JsonNode input) throws JsonProcessingException;
    }
}
