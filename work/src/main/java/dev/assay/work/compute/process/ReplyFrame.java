package dev.assay.work.compute.process;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A frame from a compute process: the answer for one definition.
 *
 * @param number of the task
 * @param item which of its definitions, from 0
 * @param failed the simple name of what was thrown; null: nothing was
 * @param answer what the kind of task defines
 */
public record ReplyFrame(
        long number,
        int item,
        @Nullable String failed,
        @Nullable JsonNode answer) {}
