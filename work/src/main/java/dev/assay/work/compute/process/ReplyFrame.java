package dev.assay.work.compute.process;

import org.jspecify.annotations.Nullable;

/**
 * A frame from a compute process: the answer for one definition.
 *
 * @param item which of its definitions, from 0
 * @param failed the simple name of what was thrown; null: nothing was
 * @param answer what the kind of task defines
 * @param <A> the answer: an object where it is written, and JSON where it is read, which is untrusted
 */
public record ReplyFrame<A>(
        long number,
        int item,
        @Nullable String failed,
        @Nullable A answer) {}
