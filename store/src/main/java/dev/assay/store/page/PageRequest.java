package dev.assay.store.page;

import org.jspecify.annotations.Nullable;

/**
 * A request for a page of a list.
 *
 * @param token where to go on; null: at the start
 * @param size at most so many items, at least 1
 */
public record PageRequest(@Nullable String token, int size, AnswerRoom room) {

    /** A page whose memory is not counted. */
    public static PageRequest of(@Nullable String token, int size) {
        return new PageRequest(token, size, AnswerRoom.UNBOUNDED);
    }
}
