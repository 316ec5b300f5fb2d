package dev.assay.store.page;

import java.util.List;

/** The memory for an answer, which is taken before its texts are read. */
@FunctionalInterface
public interface AnswerRoom {

    /** As much as is asked for. */
    AnswerRoom UNBOUNDED = bytes -> {};

    /**
     * Takes memory, and waits for it if need be: callers hold no connection.
     *
     * @param bytes of the answer, as they are estimated
     * @throws dev.assay.domain.error.AssayException SERVER_BUSY when there is no room for too long; BODY_TOO_LARGE when there never is
     */
    void take(long bytes);

    /**
     * Takes memory for an answer of one item; see {@link #take}.
     *
     * @param octets bytes of its texts
     */
    default void takeItem(long octets) {
        take(PageEnd.of(List.of(octets), 1).bytes());
    }
}
