package dev.assay.work.confine;

import java.io.IOException;

/** A loss of rights of one thread of the system, for the rest of its life, and from what it starts. */
public interface Restriction {

    /**
     * Restricts the calling thread.
     *
     * @throws IOException when the system refuses
     */
    void restrictSelf() throws IOException;
}
